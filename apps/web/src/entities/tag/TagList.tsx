import { can } from '@kustos/contract/permissions'
import { tagName } from '@kustos/contract/tags'
import { Link } from 'react-router-dom'
import { useUser } from '../../platform/session.ts'
import { type TaggedList, taggedLists, taggedPath } from './paths.ts'
import { TagDot } from './TagDot.tsx'
import styles from './tag.module.css'
import { useTags } from './use-tags.ts'

interface Props {
  /** Such as `legal` and `contract:gold`. */
  readonly tags: readonly string[]
  /** The list that each tag links to, filtered by it, if the user may see it. */
  readonly list: TaggedList
}

/** The tags that a web, customer or node carries. */
export function TagList({ tags, list }: Props) {
  const colors = new Map(useTags().map(({ name, color }) => [name, color]))
  const isLinked = can(useUser(), taggedLists[list].access)
  return (
    <span className={styles.list}>
      {tags.map((tag) => {
        const content = (
          <>
            <TagDot color={colors.get(tagName(tag)) ?? 'grey'} />
            <span className={styles.text}>{tag}</span>
          </>
        )
        return isLinked ? (
          <Link key={tag} to={taggedPath(list, tag)} className={styles.tag}>
            {content}
          </Link>
        ) : (
          <span key={tag} className={styles.tag}>
            {content}
          </span>
        )
      })}
    </span>
  )
}

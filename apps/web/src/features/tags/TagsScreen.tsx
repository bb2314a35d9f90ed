import { type Tag, tagColumns, tagsRoutes } from '@kustos/contract/tags'
import { Button } from '@mantine/core'
import {
  IconArrowMerge,
  IconHeartRateMonitor,
  IconPencil,
  IconPlus,
  IconTags,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type TaggedList, taggedPath } from '../../entities/tag/paths.ts'
import { TagDot } from '../../entities/tag/TagDot.tsx'
import tagStyles from '../../entities/tag/tag.module.css'
import { useRoute, write } from '../../platform/query.ts'
import { DataGrid } from '../../ui/data-grid/DataGrid.tsx'
import { GridButton } from '../../ui/data-grid/GridButton.tsx'
import { GridLink } from '../../ui/data-grid/GridLink.tsx'
import type { Cells, RowActions } from '../../ui/data-grid/types.ts'
import { notifyOutcome } from '../../ui/notify.tsx'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { MergeTagDialog } from './MergeTagDialog.tsx'
import { staleRoutes } from './stale-routes.ts'
import { TagCheckDialog } from './TagCheckDialog.tsx'
import { AddTagDialog, EditTagDialog } from './TagDialog.tsx'
import { useUsageText } from './use-usage-text.ts'

const { deleteTag, listTags } = tagsRoutes

const getId = ({ id }: Tag) => id
/** The number of what carries a tag, which links to the list of it. */
const numberOf = (list: TaggedList) => (tag: Tag) => {
  const count = tag.usage?.[list]
  return count ? <GridLink to={taggedPath(list, tag.name)}>{String(count)}</GridLink> : null
}
const createCells = (edit: (tag: Tag) => void): Cells<Tag> => ({
  name: (tag) => (
    <span className={tagStyles.option}>
      <TagDot color={tag.color} />
      <GridButton onClick={() => edit(tag)}>{tag.name}</GridButton>
    </span>
  ),
  webs: numberOf('webs'),
  customers: numberOf('customers'),
  nodes: numberOf('nodes'),
})

/** The catalogue of tags. */
export default function TagsScreen() {
  const { t } = useTranslation()
  const query = useRoute(listTags, { query: { usage: '1' } })
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Tag | null>(null)
  const [merged, setMerged] = useState<Tag | null>(null)
  const [checked, setChecked] = useState<Tag | null>(null)
  const cells = useMemo(() => createCells(setEdited), [])
  const rowActions = useRowActions(setEdited, setMerged, setChecked)
  const add = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('tags.add')}
    </Button>
  )
  return (
    <>
      <DataGrid
        id="tags"
        title={t('screens.tags.title')}
        grid={tagColumns}
        query={query}
        rows={query.data}
        getRowId={getId}
        renderCell={cells}
        rowActions={rowActions}
        empty={{ icon: IconTags, title: t('tags.empty'), hint: t('tags.emptyHint'), action: add }}
        toolbar={() => add}
      />
      {adding && <AddTagDialog onClose={() => setAdding(false)} />}
      {edited !== null && <EditTagDialog tag={edited} onClose={() => setEdited(null)} />}
      {checked !== null && <TagCheckDialog tag={checked} onClose={() => setChecked(null)} />}
      {merged !== null && <MergeTagDialog tag={merged} onClose={() => setMerged(null)} />}
    </>
  )
}

function useRowActions(
  edit: (tag: Tag) => void,
  merge: (tag: Tag) => void,
  check: (tag: Tag) => void,
): (row: Tag) => RowActions {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const usageText = useUsageText()

  async function remove(tag: Tag) {
    const { id, name, usage } = tag
    const hint = usage?.check ? `${usageText(tag)} ${t('tags.checkDeleted')}` : usageText(tag)
    const question = { text: t('confirm.deleteNamed.tag', { name }), hint, yes: t('tags.delete') }
    if (!(await confirm({ title: name, ...question, danger: true }))) return
    await notifyOutcome(name, t('tags.done.deleted'), () => write(deleteTag, { params: { id } }, staleRoutes))
  }

  return (tag) => [
    { key: 'edit', label: t('tags.edit'), icon: IconPencil, run: () => edit(tag) },
    tag.usage?.webs != null && {
      key: 'webs',
      label: t('tags.showWebs'),
      icon: IconWorld,
      to: taggedPath('webs', tag.name),
    },
    { key: 'check', label: t('checks.edit'), icon: IconHeartRateMonitor, run: () => check(tag) },
    { key: 'merge', label: t('tags.merge.label'), icon: IconArrowMerge, run: () => merge(tag) },
    { key: 'delete', label: t('tags.delete'), icon: IconTrash, danger: true, run: () => void remove(tag) },
  ]
}

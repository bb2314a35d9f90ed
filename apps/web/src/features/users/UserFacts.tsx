import { formatTime } from '@kustos/contract/grid'
import { type User, usersRoutes } from '@kustos/contract/users'
import { Card, Title } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { FactList } from '../../ui/FactList.tsx'
import { StatusChip } from '../../ui/StatusChip.tsx'

/**
 * The facts about a user that cannot be edited.
 * @param user the user at the time the form was opened; later changes are taken from the list
 */
export function UserFacts({ user: initialUser }: { readonly user: User }) {
  const { t } = useTranslation()
  const heading = useId()
  const me = useUser()
  const { data } = useRoute(usersRoutes.listUsers, {})
  const listed = data?.data.find(({ id }) => id === initialUser.id)
  const user = listed !== undefined && listed.updated_at > initialUser.updated_at ? listed : initialUser
  const state = user.deleted_at === null ? 'active' : 'deleted'
  return (
    <Card component="section" aria-labelledby={heading}>
      <Title order={2} id={heading} mb="sm">
        {t('users.facts.title')}
      </Title>
      <FactList
        facts={[
          [
            t('users.facts.state'),
            <>
              <StatusChip tone={state === 'active' ? 'green' : 'grey'} text={t(`users.states.${state}`)} />
              {user.id === me?.id && ` (${t('users.facts.you')})`}
            </>,
          ],
          [t('users.facts.created'), formatTime(user.created_at)],
          [t('users.facts.changed'), formatTime(user.updated_at)],
        ]}
      />
    </Card>
  )
}

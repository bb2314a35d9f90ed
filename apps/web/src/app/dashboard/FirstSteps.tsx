import { nodesRoutes } from '@kustos/contract/nodes'
import { can } from '@kustos/contract/permissions'
import { usersRoutes } from '@kustos/contract/users'
import { type WebList, websRoutes } from '@kustos/contract/webs'
import { Anchor, Card, Text, Title, VisuallyHidden } from '@mantine/core'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useRoute } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import styles from './FirstSteps.module.css'
import { firstSteps, type StepName, type StepState, stepNames } from './first-steps.ts'

const needed = [nodesRoutes.listNodes, websRoutes.listWebs, usersRoutes.createUser]

/** Shown to users with permission for all steps. */
export function FirstSteps() {
  const user = useUser()
  return needed.every(({ access }) => can(user, access)) ? <StepList /> : null
}

const countWebs = ({ data }: WebList) => data.length

function StepList() {
  const { t } = useTranslation()
  const heading = useId()
  const { data: nodes } = useRoute(nodesRoutes.listNodes, {})
  const { data: webs } = useRoute(websRoutes.listWebs, {}, { select: countWebs })
  const { data: users } = useRoute(usersRoutes.listUsers, {})
  if (nodes === undefined || webs === undefined || users === undefined) return null
  const steps = firstSteps(nodes, webs, users.data)
  if (steps === null) return null
  return (
    <Card component="section" aria-labelledby={heading} mb="md">
      <Title order={2} id={heading}>
        {t('dashboard.firstSteps.title')}
      </Title>
      <ol className={styles.steps}>
        {stepNames.map((name) => (
          <Step key={name} name={name} {...steps[name]} />
        ))}
      </ol>
    </Card>
  )
}

function Step({ name, isDone, path }: StepState & { readonly name: StepName }) {
  const { t } = useTranslation()
  const { title, hint } = t(`dashboard.firstSteps.steps.${name}`, { returnObjects: true })
  const Icon = isDone ? IconCircleCheckFilled : IconCircleDashed
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <Icon size={20} aria-hidden="true" />
      <div>
        {isDone ? (
          <Text fw={500}>
            {title}
            <VisuallyHidden> ({t('dashboard.firstSteps.done')})</VisuallyHidden>
          </Text>
        ) : (
          <Anchor component={Link} to={path} fw={500}>
            {title}
          </Anchor>
        )}
        <Text c="dimmed">{hint}</Text>
      </div>
    </li>
  )
}

import type { Connection, ConnectionCheck } from '@kustos/contract/inspections'
import { type NodeDetails, nodesRoutes } from '@kustos/contract/nodes'
import { queueRoutes } from '@kustos/contract/queue'
import { Alert, Button, Code, Group, Loader, Modal, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconCheck, IconKey, IconMinus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { InspectionFailure } from '../../entities/inspection/InspectionFailure.tsx'
import { useInspection } from '../../entities/inspection/use-inspection.ts'
import { discoveryPath } from '../../entities/node/paths.ts'
import type { ApiError } from '../../platform/api-error.ts'
import { storedText } from '../../platform/message-text.ts'
import { create, useRoute, write } from '../../platform/query.ts'
import { Failure } from '../../ui/Failure.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { notifyOutcome } from '../../ui/notify.tsx'
import { longTitle } from '../../ui/use-confirm.tsx'
import { useReturnFocus } from '../../ui/use-return-focus.ts'
import { toUnchangedBody } from './node-form.ts'

const { editNode, listNodes, testNode } = nodesRoutes

interface Props {
  readonly node: NodeDetails
  readonly onClose: () => void
}

/** Tests how a node is reached, and offers to trust the host key that it presents. */
export function ConnectionDialog({ node: { id }, onClose }: Props) {
  const { t } = useTranslation()
  const node = useRoute(listNodes, {}).data?.find((each) => each.id === id)
  const request = useMutation<number | null, ApiError>({
    mutationFn: () => create(testNode, { params: { id } }, [queueRoutes.listJobs]),
  })
  const { data: inspectionId = null, error, isPending, mutate } = request
  const { inspection } = useInspection(inspectionId === null ? null : String(inspectionId))
  useEffect(() => mutate(), [mutate])
  useReturnFocus()
  if (node === undefined) return null
  const connection = inspection?.connection ?? null
  const isOver = error !== null || (inspection !== undefined && inspection.ended_at !== null)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('nodes.test.title', { node: node.name })}
      styles={longTitle}
      closeButtonProps={{ 'aria-label': t('ui.dialog.close') }}
    >
      <Stack gap="md">
        {error !== null && <Failure error={error} onRetry={mutate} retrying={isPending} />}
        {connection === null && <InspectionFailure inspection={inspection} title={t('nodes.test.failed')} />}
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }} aria-busy={!isOver}>
          {(['panel', 'ssh', 'plesk'] as const).map((check) => (
            <CheckLine key={check} check={check} connection={connection} isRunning={!isOver} />
          ))}
        </Stack>
        {connection !== null && <OfferedKey node={node} connection={connection} onTrusted={mutate} />}
        <Group justify="flex-end">
          {inspection?.state === 'succeeded' ? (
            <LinkButton to={discoveryPath(id)} label={t('nodes.discovery.label')} variant="default" />
          ) : (
            <Button variant="default" onClick={() => mutate()} disabled={!isOver}>
              {t('nodes.test.again')}
            </Button>
          )}
          <Button onClick={onClose} data-autofocus>
            {t('ui.dialog.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

interface CheckProps {
  readonly check: ConnectionCheck
  readonly connection: Connection | null
  readonly isRunning: boolean
}

function CheckLine({ check, connection, isRunning }: CheckProps) {
  const { t } = useTranslation()
  const result = connection?.checks.find((each) => each.check === check)
  const state = result?.ok == null ? 'untried' : result.ok ? 'ok' : 'failed'
  const { color, Icon } = looks[state]
  const problem = result && storedText(result.problem, result.problem_code, result.problem_params)
  // Always a second line, so that nothing moves when the test ends.
  const detail = isRunning
    ? t('nodes.test.running')
    : problem || result?.found || t(`nodes.test.states.${state}`)
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      {isRunning ? (
        <Loader size={22} />
      ) : (
        <ThemeIcon
          color={color}
          size={22}
          radius="xl"
          role="img"
          aria-label={t(`nodes.test.states.${state}`)}
        >
          <Icon size={14} />
        </ThemeIcon>
      )}
      <div>
        <Text fw={500}>{t(`nodes.test.checks.${check}`)}</Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
      </div>
    </Group>
  )
}

const looks = {
  ok: { color: 'green', Icon: IconCheck },
  failed: { color: 'red', Icon: IconX },
  untried: { color: 'gray', Icon: IconMinus },
} as const

interface KeyProps {
  readonly node: NodeDetails
  readonly connection: Connection
  readonly onTrusted: () => void
}

/** Only a person can tell whether a key that is new to Kustos is the node's. */
function OfferedKey({ node, connection, onTrusted }: KeyProps) {
  const { t } = useTranslation()
  const [isStoring, setStoring] = useState(false)
  const { host_key: key, host_key_fingerprint: fingerprint } = connection
  const isRefused = connection.checks.some(({ check, ok }) => check === 'ssh' && ok === false)
  if (key === null || key === node.host_key || !isRefused) return null
  async function trust() {
    setStoring(true)
    const body = toUnchangedBody({ ...node, host_key: key })
    const isStored = await notifyOutcome(node.name, t('nodes.test.trusted'), () =>
      write(editNode, { params: { id: node.id }, body }, [listNodes]),
    )
    setStoring(false)
    if (isStored) onTrusted()
  }
  return (
    <Alert
      icon={<IconKey size={16} />}
      title={t('nodes.test.key')}
      color={node.host_key === null ? 'blue' : 'red'}
    >
      <Stack gap="xs" align="flex-start">
        <Code style={{ overflowWrap: 'anywhere' }}>{fingerprint}</Code>
        <Text size="sm">
          {t(node.host_key === null ? 'nodes.test.compare' : 'nodes.test.compareChanged')}
        </Text>
        <Button variant="light" loading={isStoring} onClick={() => void trust()}>
          {t('nodes.test.trust')}
        </Button>
      </Stack>
    </Alert>
  )
}

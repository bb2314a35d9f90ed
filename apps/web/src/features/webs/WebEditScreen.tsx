import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import { can } from '@kustos/contract/permissions'
import { type Web, type WebForm, webFormToWire, websRoutes, webToForm } from '@kustos/contract/webs'
import { Box, Button, Group, Stack } from '@mantine/core'
import { IconChartLine, IconWorldOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { ApiError } from '../../app/api-error.ts'
import { call } from '../../app/client.ts'
import { useAction, useRoute } from '../../app/query.ts'
import { useUser } from '../../app/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { LastSeen } from './LastSeen.tsx'
import { listAddress } from './list-address.ts'
import { WebFields } from './WebFields.tsx'
import { WebFormSkeleton } from './WebFormSkeleton.tsx'

const { editWeb, listCategories, listWebs, readWeb, restoreWeb } = websRoutes

export function WebEditScreen() {
  const { id = '' } = useParams()
  // Another id is another form.
  return <EditScreen key={id} id={id} />
}

function EditScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  // Read anew for each visit, and never under the hands of who writes: a form that starts from an old state could only
  // be refused. Under a key of its own, since other pages about the web keep theirs and refresh it.
  const query = useQuery<Web, ApiError>({
    queryKey: ['web to edit', id],
    queryFn: ({ signal }) => call(readWeb, { params: { id } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  const { data, error } = query
  return (
    <>
      <BackLink to={listAddress()} label={t('webs.form.back')} />
      <Box maw={960}>
        <PageHeader
          title={
            data === undefined ? t('ui.web.untitled', { id }) : t('webs.form.edit', { id, fqdn: data.fqdn })
          }
          {...(data !== undefined && { actions: <UptimeLink web={data} /> })}
        />
      </Box>
      {error?.status === 404 ? (
        <Missing id={id} />
      ) : (
        <QueryState query={query} skeleton={<WebFormSkeleton />}>
          {(web) => (
            <Stack gap="md">
              <EditForm web={web} />
              <LastSeen web={web} />
            </Stack>
          )}
        </QueryState>
      )}
    </>
  )
}

function UptimeLink({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  return (
    <Can access={monitoringRoutes.listUptime.access}>
      <Button
        component={Link}
        to={uptimePath(web)}
        variant="default"
        leftSection={<IconChartLine size={16} />}
      >
        {t('monitoring.webs.uptimeAction')}
      </Button>
    </Can>
  )
}

/** What refreshes learn too, without moving the time of the web: left out where nobody has touched it. */
const learnt = ['framework_name', 'framework_version'] as const

/** The time that it was read with goes back along, so that nobody's change is overwritten unseen. */
function toBody(form: WebForm, web: Web) {
  const body = { ...webFormToWire(form), updated_at: web.updated_at }
  const read = webToForm(web)
  for (const field of learnt) if (form[field] === read[field]) delete body[field]
  return body
}

function EditForm({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const edit = useAction(editWeb, [listWebs])
  const categories = useRoute(listCategories, {})
  const params = { id: web.id }
  return (
    <QueryState query={categories} skeleton={<WebFormSkeleton />}>
      {(known) => (
        <ContractForm
          route={editWeb}
          source={web}
          toValues={webToForm}
          toBody={toBody}
          send={(body) => edit.mutateAsync({ params, body })}
          loadNewest={() => call(readWeb, { params })}
          onSaved={(_, { fqdn }) => {
            notifyDone(fqdn, t('webs.done.saved'))
            void navigate(listAddress())
          }}
          submitLabel={t('webs.form.save')}
          failedText={t('webs.form.wrong')}
          beside={
            <Button component={Link} to={listAddress()} variant="default">
              {t('webs.form.cancel')}
            </Button>
          }
        >
          {(fields) => <WebFields fields={fields} categories={known} isNew={false} />}
        </ContractForm>
      )}
    </QueryState>
  )
}

function Missing({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const mayRestore = can(useUser(), restoreWeb.access)
  return (
    <EmptyState
      icon={IconWorldOff}
      title={t('ui.web.missing', { id })}
      hint={t('ui.web.missingHint')}
      action={
        <Group gap="xs" justify="center">
          <Button component={Link} to={listAddress()}>
            {t('webs.missing.toList')}
          </Button>
          {mayRestore && (
            <Button component={Link} to="/hosting?deleted=1" variant="default">
              {t('webs.missing.toDeleted')}
            </Button>
          )}
        </Group>
      }
    />
  )
}

import { inspectionRoutes } from '@kustos/contract/inspections'
import { monitoringRoutes, uptimePath } from '@kustos/contract/monitoring'
import {
  type Web,
  type WebForm,
  webChange,
  webFormToWire,
  websRoutes,
  webToForm,
} from '@kustos/contract/webs'
import { Box, Stack } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { MissingWeb } from '../../entities/web/MissingWeb.tsx'
import { webPath } from '../../entities/web/paths.ts'
import type { ApiError } from '../../platform/api-error.ts'
import { call } from '../../platform/client.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute, write } from '../../platform/query.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Can } from '../../ui/Can.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { LastSeen } from './LastSeen.tsx'
import { WebFields } from './WebFields.tsx'
import { WebFormSkeleton } from './WebFormSkeleton.tsx'

const { editWeb, listCategories, listWebs, readWeb } = websRoutes

export default function WebEditScreen({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  // Always read fresh and never refetched while the form is open, since saving an old version is refused.
  // A key of its own separates it from the other pages about the web.
  const query = useQuery<Web, ApiError>({
    queryKey: ['web to edit', id],
    queryFn: ({ signal }) => call(readWeb, { params: { id } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

  const { data, error } = query
  const listPath = getListUrl('/hosting')
  return (
    <>
      <BackLink to={listPath} label={t('webs.form.back')} />
      <Box maw={960}>
        <PageHeader
          title={
            data === undefined ? t('ui.web.untitled', { id }) : t('webs.form.edit', { id, fqdn: data.fqdn })
          }
          actions={
            data !== undefined && (
              <LinkButton
                to={uptimePath(data)}
                label={t('actions.uptime.label')}
                icon={IconChartLine}
                access={monitoringRoutes.listUptime.access}
                variant="default"
              />
            )
          }
        />
      </Box>
      {error?.status === 404 ? (
        <MissingWeb id={id} back={{ to: listPath, label: t('webs.missing.toList') }} offersDeleted />
      ) : (
        <QueryState query={query} skeleton={<WebFormSkeleton />}>
          {(web) => (
            <Stack gap="md">
              <EditForm web={web} />
              <Can access={inspectionRoutes.listWebFacts.access}>
                <LastSeen web={web} />
              </Can>
            </Stack>
          )}
        </QueryState>
      )}
    </>
  )
}

/** Refreshes change these without changing `updated_at`, so they are omitted unless edited. */
const detectedFields = ['framework_name', 'framework_version'] as const

/** Sends the time of the version that was read, so that concurrent edits are not overwritten. */
function toBody(form: WebForm, web: Web) {
  const body = { ...webFormToWire(form), updated_at: web.updated_at }
  const read = webToForm(web)
  for (const field of detectedFields) if (form[field] === read[field]) delete body[field]
  return body
}

function EditForm({ web }: { readonly web: Web }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const categories = useRoute(listCategories, {})
  const listPath = getListUrl('/hosting')
  const params = { id: web.id }
  return (
    <QueryState query={categories} skeleton={<WebFormSkeleton />}>
      {(known) => (
        <ContractForm
          schema={webChange}
          source={web}
          toValues={webToForm}
          toBody={toBody}
          send={(body, signal) => write(editWeb, { params, body }, [listWebs], signal)}
          loadLatest={() => call(readWeb, { params })}
          onSaved={(_, { fqdn }) => {
            notifyDone(fqdn, t('webs.done.saved'), {
              label: t('actions.show.label'),
              run: () => void navigate(webPath(web.id)),
            })
            void navigate(listPath)
          }}
          submitLabel={t('webs.form.save')}
          failedText={t('webs.form.wrong')}
          beside={<LinkButton to={listPath} label={t('webs.form.cancel')} variant="default" />}
        >
          {(fields) => <WebFields fields={fields} categories={known} isNew={false} />}
        </ContractForm>
      )}
    </QueryState>
  )
}

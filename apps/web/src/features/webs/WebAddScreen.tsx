import { can } from '@kustos/contract/permissions'
import { emptyWebForm, newWeb, type WebForm, webFormToWire, websRoutes } from '@kustos/contract/webs'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { useNodes } from '../../entities/web/use-nodes.ts'
import { getListUrl } from '../../platform/list-url.ts'
import { useRoute, write } from '../../platform/query.ts'
import { useUser } from '../../platform/session.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { ContractForm } from '../../ui/contract-form/ContractForm.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { WebFields } from './WebFields.tsx'
import { WebFormSkeleton } from './WebFormSkeleton.tsx'

const { createWeb, editWeb, listCategories, listWebs } = websRoutes

const asIs = (form: WebForm) => form

export default function WebAddScreen() {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const listPath = getListUrl('/hosting')
  const maySee = can(user, listWebs.access)
  const categories = useRoute(listCategories, {})
  // Users who may not see the nodes add webs without one.
  const nodes = useNodes()

  return (
    <>
      <BackLink to={listPath} label={t('webs.form.back')} />
      <PageHeader title={t('webs.form.add')} />
      <QueryState query={categories} skeleton={<WebFormSkeleton />}>
        {(known) => (
          <ContractForm
            schema={newWeb}
            source={emptyWebForm}
            toValues={asIs}
            toBody={webFormToWire}
            send={(body, signal) => write(createWeb, { body }, [listWebs], signal)}
            onSaved={({ id, fqdn }) => {
              const edit = can(user, editWeb.access) && {
                label: t('actions.edit.label'),
                run: () => void navigate(`/hosting/edit/${id}`),
              }
              notifyDone(fqdn, t('webs.done.created'), edit)
              if (maySee) void navigate(listPath)
            }}
            // Those who may not see the list continue with an empty form, and with what they have typed meanwhile.
            afterSave={(saved) => (maySee ? saved : emptyWebForm)}
            submitLabel={t('webs.form.create')}
            beside={<LinkButton to={listPath} label={t('webs.form.cancel')} variant="default" />}
          >
            {(fields) => <WebFields fields={fields} categories={known} nodes={nodes} isNew />}
          </ContractForm>
        )}
      </QueryState>
    </>
  )
}

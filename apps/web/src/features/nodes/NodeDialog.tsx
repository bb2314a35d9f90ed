import { type NodeDetails, newNode, nodeChange, nodesRoutes } from '@kustos/contract/nodes'
import { websRoutes } from '@kustos/contract/webs'
import { NumberInput, PasswordInput, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { findListed } from '../../ui/contract-form/find-listed.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { emptyForm, type NodeForm, toBody, toForm } from './node-form.ts'

const { createNode, editNode, listNodes, readNodeOverview } = nodesRoutes
/** Whose nodes and choices change. */
const { listWebs } = websRoutes

interface AddProps {
  readonly onAdded: (node: NodeDetails) => void
  readonly onClose: () => void
}

export function AddNodeDialog({ onAdded, onClose }: AddProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('nodes.add')}
      size="xl"
      onClose={onClose}
      schema={newNode}
      source={emptyForm}
      toValues={(values) => values}
      toBody={toBody}
      send={(body, signal) => write(createNode, { body }, [listNodes, listWebs], signal)}
      onSaved={(node) => {
        notifyDone(node.name, t('nodes.done.created'))
        onAdded(node)
      }}
      submitLabel={t('nodes.add')}
    >
      {(fields) => <NodeFields fields={fields} hasKey={false} />}
    </FormDialog>
  )
}

interface EditProps {
  readonly node: NodeDetails
  /** Called with the name, which may be another one now. */
  readonly onSaved?: (name: string) => void
  readonly onClose: () => void
}

export function EditNodeDialog({ node, onSaved, onClose }: EditProps) {
  const { t } = useTranslation()
  const params = { id: node.id }
  return (
    <FormDialog
      title={t('nodes.dialog.edit', { node: node.name })}
      size="xl"
      onClose={onClose}
      schema={nodeChange}
      source={node}
      toValues={toForm}
      toBody={(values, { updated_at }) => ({ ...toBody(values), updated_at })}
      send={(body, signal) =>
        write(editNode, { params, body }, [listNodes, readNodeOverview, listWebs], signal)
      }
      loadLatest={() => findListed(call(listNodes, {}), node.id, 'node_not_found')}
      onSaved={(_, values) => {
        const name = values.name.trim()
        notifyDone(name, t('nodes.done.saved'))
        onSaved?.(name)
      }}
      submitLabel={t('nodes.dialog.save')}
    >
      {(fields) => <NodeFields fields={fields} hasKey={node.has_plesk_key} />}
    </FormDialog>
  )
}

interface FieldsProps {
  readonly fields: FormFields<NodeForm>
  readonly hasKey: boolean
}

function NodeFields({ fields: { field, toggle }, hasKey }: FieldsProps) {
  const { t } = useTranslation()
  const { labels: own, hints } = t('nodes.fields', { returnObjects: true })
  const columns = t('gridLabels.nodes.columns', { returnObjects: true })
  const labels = { ...columns, host_key: columns.host_key_fingerprint, ...own }
  const named = (name: keyof NodeForm) => ({ label: labels[name] })
  const hinted = (name: keyof NodeForm & keyof typeof hints) => ({ label: labels[name], hint: hints[name] })
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="xs">
      <TextInput {...field('name', named('name'))} {...plainText} data-autofocus />
      <TextInput {...field('plesk_fqdn', named('plesk_fqdn'))} {...plainText} inputMode="url" />
      <NumberInput
        {...field('plesk_port', named('plesk_port'))}
        {...numberOrNull(field('plesk_port', named('plesk_port')))}
        placeholder="8443"
      />
      <PasswordInput
        {...field('plesk_key', {
          label: labels.plesk_key,
          hint: hasKey ? hints.plesk_key_kept : hints.plesk_key,
        })}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('login.showPassword') }}
      />
      <TextInput {...field('plesk_certificate', hinted('plesk_certificate'))} {...plainText} />
      <TextInput {...field('address', named('address'))} {...plainText} />
      <TextInput {...field('ssh_host', hinted('ssh_host'))} {...plainText} inputMode="url" />
      <NumberInput
        {...field('ssh_port', named('ssh_port'))}
        {...numberOrNull(field('ssh_port', named('ssh_port')))}
        placeholder="22"
      />
      <TextInput {...field('ssh_user', hinted('ssh_user'))} {...plainText} />
      <TextInput {...field('host_key', hinted('host_key'))} {...plainText} />
      <TagPicker
        {...field('tags', { ...named('tags'), show: (tags) => tags.join(', ') })}
        placeholder={t('tags.picker.placeholder')}
      />
      <Switch {...toggle('cloud_enabled', named('cloud_enabled'))} />
    </SimpleGrid>
  )
}

/** An empty number input has the value ''. */
const numberOrNull = ({ value, onChange }: { value?: unknown; onChange: (value: unknown) => void }) => ({
  value: typeof value === 'number' ? value : '',
  onChange: (next: number | string) => onChange(next === '' ? null : next),
  allowDecimal: false,
  hideControls: true,
})

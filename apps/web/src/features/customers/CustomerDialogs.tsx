import {
  type Customer,
  type CustomerDetails,
  customerChange,
  customersRoutes,
  newCustomer,
} from '@kustos/contract/customers'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AlertChannels, channelNames } from '../../entities/customer/AlertChannels.tsx'
import { TagPicker } from '../../entities/tag/TagPicker.tsx'
import { call } from '../../platform/client.ts'
import { write } from '../../platform/query.ts'
import { type FormFields, plainText } from '../../ui/contract-form/fields.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { notifyDone } from '../../ui/notify.tsx'
import { ContactFields } from './ContactFields.tsx'
import { type CustomerForm, emptyForm, toBody, toForm } from './customer-form.ts'

const { createCustomer, editCustomer, listCustomers, readCustomer, readTimeline } = customersRoutes

interface AddProps {
  readonly onAdded: (customer: Customer) => void
  readonly onClose: () => void
}

export function AddCustomerDialog({ onAdded, onClose }: AddProps) {
  const { t } = useTranslation()
  return (
    <FormDialog
      title={t('customers.add')}
      size="xl"
      onClose={onClose}
      schema={newCustomer}
      source={emptyForm}
      toValues={(values) => values}
      toBody={toBody}
      send={(body, signal) => write(createCustomer, { body }, [listCustomers], signal)}
      onSaved={(customer) => {
        notifyDone(customer.code, t('customers.created'))
        onAdded(customer)
      }}
      submitLabel={t('customers.add')}
    >
      {(fields) => (
        <>
          <TextInput
            {...fields.field('code', {
              label: t('gridLabels.customers.columns.code'),
              hint: t('customers.codeHint'),
            })}
            {...plainText}
            data-autofocus
          />
          {/* A form with a code has all fields of one without. */}
          <CustomerFields fields={fields as unknown as FormFields<CustomerForm>} />
        </>
      )}
    </FormDialog>
  )
}

interface EditProps {
  readonly customer: CustomerDetails
  readonly onClose: () => void
}

export function EditCustomerDialog({ customer, onClose }: EditProps) {
  const { t } = useTranslation()
  const params = { code: customer.code }
  return (
    <FormDialog
      title={t('customers.editTitle', { code: customer.code })}
      size="xl"
      onClose={onClose}
      schema={customerChange}
      source={customer}
      toValues={toForm}
      toBody={(values, { updated_at }) => ({ ...toBody(values), updated_at })}
      send={(body, signal) =>
        write(editCustomer, { params, body }, [listCustomers, readCustomer, readTimeline], signal)
      }
      loadLatest={() => call(readCustomer, { params })}
      onSaved={() => notifyDone(customer.code, t('customers.saved'))}
      submitLabel={t('customers.save')}
    >
      {(fields) => <CustomerFields fields={fields} />}
    </FormDialog>
  )
}

function CustomerFields({ fields: { field } }: { readonly fields: FormFields<CustomerForm> }) {
  const { t } = useTranslation()
  const { columns } = t('gridLabels.customers', { returnObjects: true })
  const labels = t('customers.fields', { returnObjects: true })
  const names = (contacts: CustomerForm['contacts']) => contacts.map(({ name }) => name).join(', ')
  return (
    <>
      <TextInput {...field('name', { label: columns.name })} autoComplete="off" />
      <TagPicker
        {...field('tags', { label: columns.tags, show: (tags) => tags.join(', ') })}
        placeholder={t('tags.picker.placeholder')}
      />
      <ContactFields {...field('contacts', { label: labels.contacts, show: names })} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <Textarea {...field('notes', { label: labels.notes })} autosize minRows={3} maxRows={10} />
        <Textarea
          {...field('contract_notes', { label: labels.contract_notes })}
          autosize
          minRows={3}
          maxRows={10}
        />
      </SimpleGrid>
      <AlertChannels
        {...field('alert_channels', {
          label: columns.alert_channels,
          hint: t('customers.channelsHint'),
          show: (channels) => channelNames(channels, t),
        })}
      />
    </>
  )
}

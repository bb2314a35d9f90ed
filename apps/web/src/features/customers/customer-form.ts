import type { CustomerChange, CustomerDetails, NewCustomer } from '@kustos/contract/customers'

export interface ContactForm {
  readonly name: string
  readonly role: string
  readonly email: string
  readonly phone: string
}

export interface CustomerForm {
  name: string
  contacts: readonly ContactForm[]
  notes: string
  contract_notes: string
  alert_channels: CustomerDetails['alert_channels']
  tags: readonly string[]
}

export const emptyContact: ContactForm = { name: '', role: '', email: '', phone: '' }

export const emptyForm: CustomerForm & { code: string } = {
  code: '',
  name: '',
  contacts: [],
  notes: '',
  contract_notes: '',
  alert_channels: [],
  tags: [],
}

export const toForm = (customer: CustomerDetails): CustomerForm => ({
  name: customer.name ?? '',
  contacts: customer.contacts.map(({ name, role, email, phone }) => ({
    name,
    role: role ?? '',
    email: email ?? '',
    phone: phone ?? '',
  })),
  notes: customer.notes ?? '',
  contract_notes: customer.contract_notes ?? '',
  alert_channels: customer.alert_channels,
  tags: customer.tags,
})

const isFilled = (contact: ContactForm) => Object.values(contact).some((text) => text.trim() !== '')

/** Rows without any text are left out. */
export const toBody = <Form extends CustomerForm>(form: Form) =>
  ({ ...form, contacts: form.contacts.filter(isFilled), tags: [...form.tags] }) satisfies
    | CustomerChange
    | NewCustomer

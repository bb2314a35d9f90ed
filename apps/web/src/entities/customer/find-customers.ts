import type { Customer } from '@kustos/contract/customers'

type Named = Pick<Customer, 'code' | 'name'>

/** @param typed in lower case */
const isCalled = ({ code, name }: Named, typed: string) =>
  code.toLowerCase() === typed || name?.toLowerCase() === typed

/** The customers with this text in their code or name, those first whose code or name it is; none for an empty text. */
export function findCustomers(customers: readonly Named[], text: string): readonly Named[] {
  const typed = text.trim().toLowerCase()
  if (typed === '') return []
  const found = customers.filter(({ code, name }) => `${code}\n${name ?? ''}`.toLowerCase().includes(typed))
  return found.toSorted((a, b) => Number(isCalled(b, typed)) - Number(isCalled(a, typed)))
}

/** The code that is meant by a text: that of the only customer with this code or name in any case, otherwise the text itself. */
export function codeOf(customers: readonly Named[], text: string): string {
  if (customers.some(({ code }) => code === text)) return text
  const [only, ...others] = customers.filter((customer) => isCalled(customer, text.trim().toLowerCase()))
  return only !== undefined && others.length === 0 ? only.code : text
}

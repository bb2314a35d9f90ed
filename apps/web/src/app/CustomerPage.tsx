import { OpenEntries } from '../features/attention/OpenEntries.tsx'
import CustomerScreen from '../features/customers/CustomerScreen.tsx'

/** @param id the customer's code */
export default function CustomerPage({ id: code }: { readonly id: string }) {
  return <CustomerScreen code={code} attention={<OpenEntries of={{ customer: code }} />} />
}

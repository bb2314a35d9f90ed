import { OpenEntries } from '../features/attention/OpenEntries.tsx'
import NodeScreen from '../features/nodes/NodeScreen.tsx'

/** @param id the node's name */
export default function NodePage({ id: name }: { readonly id: string }) {
  return <NodeScreen name={name} attention={<OpenEntries of={{ node: name }} />} />
}

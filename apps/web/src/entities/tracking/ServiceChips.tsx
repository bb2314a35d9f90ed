import { StatusChip } from '../../ui/StatusChip.tsx'

/** The services that a web requests before consent. */
export function ServiceChips({ names }: { readonly names: readonly string[] }) {
  return names.map((name) => <StatusChip key={name} tone="red" text={name} />)
}

const focusable = 'input:not([type=hidden]), textarea, button'

/** Puts the focus into the first of these fields, as they stand on the page. */
export function focusFirst(root: HTMLElement | null, names: readonly string[]) {
  const fields = [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const first = fields.find(({ dataset }) => dataset.path !== undefined && names.includes(dataset.path))
  // A group of checkboxes is found by its frame.
  const target = first?.matches(focusable) ? first : first?.querySelector<HTMLElement>(focusable)
  target?.focus()
}

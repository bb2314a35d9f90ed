const focusable = 'input:not([type=hidden]), textarea, button'

/** Focuses the first of these fields on the page. */
export function focusFirst(root: HTMLElement | null, names: readonly string[]) {
  const fields = [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const first = fields.find(({ dataset }) => dataset.path !== undefined && names.includes(dataset.path))
  // `data-path` may be on the wrapper of a group of checkboxes.
  const target = first?.matches(focusable) ? first : first?.querySelector<HTMLElement>(focusable)
  target?.focus()
}

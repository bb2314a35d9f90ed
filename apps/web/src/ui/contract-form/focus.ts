const focusable = 'input:not([type=hidden]), textarea, button'

/** Focuses the first of these fields on the page. */
export function focusFirst(root: HTMLElement | null, names: readonly string[]) {
  const fields = [...(root?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  const first = fields.find(({ dataset }) => dataset.path !== undefined && names.includes(dataset.path))
  // `data-path` may be on the wrapper of a group of checkboxes.
  const target = first?.matches(focusable) ? first : first?.querySelector<HTMLElement>(focusable)
  target?.focus()
}

/** Marks the first field as the one that a dialog focuses; without a mark, Mantine focuses the button that closes the dialog. */
export function markFirstField(root: HTMLElement | null) {
  if (root === null || root.querySelector('[data-autofocus]') !== null) return
  const fields = 'input:not([type=hidden], [type=radio]:not(:checked)), textarea'
  root.querySelector(fields)?.setAttribute('data-autofocus', '')
}

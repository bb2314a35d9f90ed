/**
 * Makes Enter take the highlighted option of an open list. Mantine remembers its position instead, at which another option is once
 * the list has changed, as when a colleague deletes an entry above it.
 */
export function takeHighlightedOption(): void {
  addEventListener(
    'keydown',
    (event) => {
      const { key, target, isComposing } = event
      if (key !== 'Enter' || isComposing || !(target instanceof Element)) return
      const list = document.getElementById(target.getAttribute('aria-controls') ?? '')
      const option = list?.querySelector('[role=option][data-combobox-selected]')
      if (!(option instanceof HTMLElement)) return
      event.preventDefault()
      event.stopPropagation()
      option.click()
    },
    { capture: true },
  )
}

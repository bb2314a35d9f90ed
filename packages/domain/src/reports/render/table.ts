import { html, type Markup } from './html.ts'

export interface Column {
  readonly label: string
  /** In percent. */
  readonly width: number
}

type Cell = string | number | Markup | null

/** Cells are labelled for narrow screens, where the head is hidden. */
export const renderTable = (columns: readonly Column[], rows: readonly (readonly Cell[])[]): Markup =>
  html`<table><thead><tr>${columns.map(
    ({ label, width }) => html`<th scope="col" width="${`${width}%`}">${label}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (cells) =>
      html`<tr>${cells.map((cell, at) => html`<td data-label="${columns[at]?.label ?? ''}">${cell}</td>`)}</tr>`,
  )}</tbody></table>`

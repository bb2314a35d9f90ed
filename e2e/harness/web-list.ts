import type { Page } from '@playwright/test'
import { expect } from './test.ts'

const grid = (page: Page) => page.getByRole('grid')
export const expectGrid = (page: Page) => expect(grid(page)).toBeVisible({ timeout: 60_000 })

/** The customer of a web as each tab shows it. */
export const customerIn = (tab: Page, customer: string) => grid(tab).getByRole('gridcell', { name: customer })

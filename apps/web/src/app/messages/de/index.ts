import type { Messages } from '../en/index.ts'
import type { Translation } from '../translation.ts'
import { entry } from './entry.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { ui } from './ui.ts'
import { webs } from './webs.ts'

/** The German catalogue; see `en/index.ts`. */
export const messages: Translation<Messages> = { ...entry, ...shell, ui, settings, webs }

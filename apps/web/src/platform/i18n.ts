import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import entryDe from './messages/de/entry.json' with { type: 'json' }
import { entry as entryEn } from './messages/en/entry.ts'
import type { Messages } from './messages/en/index.ts'
import { recall, remember } from './storage.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Messages }
  }
}

const key = 'kustos.language'
const namespace = 'translation'

function rememberedLanguage(): Language {
  const stored = recall(key)
  return languages.find((language) => language === stored) ?? 'en'
}

export const currentLanguage = (): Language =>
  languages.find((language) => language === i18next.language) ?? 'en'

/** Starts with the texts of the login screen; `loadCatalogue` adds the rest. */
export function startMessages() {
  const lng = rememberedLanguage()
  document.documentElement.lang = lng
  void i18next.use(initReactI18next).init({
    lng,
    fallbackLng: false,
    initAsync: false,
    resources: {
      en: { [namespace]: entryEn },
      de: { [namespace]: entryDe },
    },
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
  })
}

export async function loadCatalogue(language = currentLanguage()): Promise<void> {
  const catalogue = language === 'de' ? import('./messages/de/index.ts') : import('./messages/en/index.ts')
  i18next.addResourceBundle(language, namespace, (await catalogue).messages, true, true)
}

export async function chooseLanguage(language: Language): Promise<void> {
  await loadCatalogue(language)
  remember(key, language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

import type { reasonMessages } from '@kustos/contract/messages/reasons'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadCode } from './load-code.ts'
import initialDe from './messages/de/initial.json' with { type: 'json' }
import { initial as initialEn } from './messages/en/initial.ts'
import { recall, remember } from './storage.ts'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

type English = typeof import('./messages/en/index.ts')

/** With the reasons, which the English catalogue lacks to keep the first load small: they are stored in English. */
export type Messages = English & { readonly messages: typeof reasonMessages }

type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]> }

const catalogues: Readonly<Record<Language, () => Promise<English | Translation<Messages>>>> = {
  en: () => import('./messages/en/index.ts'),
  de: () => import('./messages/de/index.ts'),
}

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
      en: { [namespace]: initialEn },
      de: { [namespace]: initialDe },
    },
    interpolation: { escapeValue: false },
    react: { bindI18nStore: 'added' },
  })
}

/** @throws {ApiError} as `loadCode` does */
export async function loadCatalogue(language = currentLanguage()): Promise<void> {
  i18next.addResourceBundle(language, namespace, await loadCode(catalogues[language]), true, true)
}

/** @throws {ApiError} as `loadCode` does */
export async function chooseLanguage(language: Language): Promise<void> {
  await loadCatalogue(language)
  remember(key, language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

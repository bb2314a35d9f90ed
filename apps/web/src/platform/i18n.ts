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

type ScreenTexts = typeof import('./messages/en/screens.ts')

type Translation<T> = { readonly [K in keyof T]: T[K] extends string ? string : Translation<T[K]> }

type Loaders<Texts, German> = Readonly<Record<Language, () => Promise<Texts | Translation<German>>>>

const parts = {
  /** The texts that every screen needs. */
  console: {
    en: () => import('./messages/en/console.ts'),
    de: () => import('./messages/de/console.ts'),
  } satisfies Loaders<Partial<Omit<English, keyof ScreenTexts>>, Omit<Messages, keyof ScreenTexts>>,
  /** The texts that all screens but the list of webs need, too. */
  screens: {
    en: () => import('./messages/en/screens.ts'),
    de: () => import('./messages/de/screens.ts'),
  } satisfies Loaders<ScreenTexts, Pick<Messages, keyof ScreenTexts>>,
}
type Part = keyof typeof parts

/** Asked for so far, in any language. */
const asked = new Set<Part>()

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

/** Starts with the texts of the login screen; `loadTexts` adds the rest. */
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

/** By language and part: adding texts again would render every screen again. */
const loaded = new Map<string, Promise<void>>()

/** @throws {ApiError} as `loadCode` does */
export function loadTexts(part: Part, language = currentLanguage()): Promise<void> {
  asked.add(part)
  const key = `${language} ${part}`
  const known = loaded.get(key)
  if (known !== undefined) return known
  const load = async () => {
    const texts = await loadCode<object>(parts[part][language])
    i18next.addResourceBundle(language, namespace, texts, true, true)
  }
  const loading = load()
  loaded.set(key, loading)
  // Tried again when it is needed next.
  loading.catch(() => loaded.delete(key))
  return loading
}

/** @throws {ApiError} as `loadCode` does */
export async function chooseLanguage(language: Language): Promise<void> {
  await Promise.all([...asked].map((part) => loadTexts(part, language)))
  remember(key, language)
  document.documentElement.lang = language
  await i18next.changeLanguage(language)
}

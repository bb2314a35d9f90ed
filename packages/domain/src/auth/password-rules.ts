import { passwordLength, userTexts } from '@kustos/contract/users'
import { normalised } from './passwords.ts'

/** What the product is called: the first guess of whoever knows where the password is for. */
const product = 'kustos'

const tooEasy = 'This password is too easy to guess: it repeats itself, or a name that belongs to it'

/** Some 49,000 of leaked ones, in lower case; read with the first password that is set. */
let list: Promise<ReadonlySet<string>> | undefined

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/**
 * What stands against a new password; its length as it was typed has been looked at.
 * @param owner whose it is to be
 * @returns a sentence; null where nothing does
 */
export async function faultOf(
  password: string,
  owner: { readonly email: string; readonly name: string },
): Promise<string | null> {
  const written = normalised(password)
  if (written.length < passwordLength.min) return `Must have at least ${passwordLength.min} characters`
  const folded = written.toLowerCase()
  const unit = repeated(folded)
  const names = [owner.email, owner.email.split('@')[0] ?? '', owner.name, product]
    .map(lettersOf)
    .filter((name) => name !== '')
  if (unit.length <= 4 || [folded, unit, wordOf(folded)].some((form) => names.includes(lettersOf(form))))
    return tooEasy
  list ??= readList()
  const common = await list
  return [folded, unit, wordOf(folded)].some((form) => common.has(form)) ? userTexts.common : null
}

const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The shortest piece that a text is made of by repetition; the text itself where there is none. */
function repeated(text: string): string {
  const size = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, size)
}

/** Without the digits and signs around it, where the word is at least half of the whole: Password1234! */
function wordOf(text: string): string {
  const word = text.replace(/^\P{L}+|\P{L}+$/gu, '')
  return word.length * 2 >= text.length ? word : text
}

import { type Message, message } from '@kustos/contract/messages'
import { passwordLength } from '@kustos/contract/users'
import { normalised } from './passwords.ts'

const product = 'kustos'

/** Some 49,000 leaked passwords in lower case, loaded when they are first needed. */
let list: Promise<ReadonlySet<string>> | undefined

async function readList(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'])
}

/** @param owner the user @returns why a new password is not allowed; null if it is */
export async function findPasswordProblem(
  password: string,
  owner: { readonly email: string; readonly name: string },
): Promise<Message | null> {
  const written = normalised(password)
  if (written.length < passwordLength.min) return message('too_short', { min: passwordLength.min })
  const folded = written.toLowerCase()
  const unit = findRepeatedUnit(folded)
  const names = [owner.email, owner.email.split('@')[0] ?? '', owner.name, product]
    .map(lettersOf)
    .filter((name) => name !== '')
  if (
    unit.length <= 4 ||
    [folded, unit, stripAffixes(folded)].some((form) => names.includes(lettersOf(form)))
  )
    return message('password_guessable')
  list ??= readList()
  const common = await list
  return [folded, unit, stripAffixes(folded)].some((form) => common.has(form))
    ? message('password_common')
    : null
}

const lettersOf = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** @returns the shortest text whose repetition gives this one */
function findRepeatedUnit(text: string): string {
  const size = `${text}${text}`.indexOf(text, 1)
  return text.slice(0, size)
}

/** Removes digits and signs around a word, as in Password1234!, unless the word is less than half of the text. */
function stripAffixes(text: string): string {
  const word = text.replace(/^\P{L}+|\P{L}+$/gu, '')
  return word.length * 2 >= text.length ? word : text
}

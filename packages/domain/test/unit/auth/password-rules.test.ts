import { describe, expect, test } from 'vitest'
import { findPasswordProblem } from '../../../src/auth/password-rules.ts'

const owner = { email: 'verena.gamper@kustos.test', name: 'Verena Gamper-Öttl' }

describe('a new password', () => {
  test.each([
    'correct horse battery',
    'a long pass phrase',
    'vqzKT7m2wLpx',
    'für alle Fälle é',
    'Gasthof zum Löwen',
    // A common word is less than half of the password.
    'love8264019375',
    // A name is only a part of the password.
    'Verena mag Kaffee',
    'kustos-sandbox',
    '            x',
  ])('%s is accepted', async (password) => {
    expect(await findPasswordProblem(password, owner)).toBeNull()
  })

  test('of symbols only is accepted, even if the name is a symbol', async () => {
    expect(await findPasswordProblem('!§$%&/()=?*#', { ...owner, name: '!!!' })).toBeNull()
  })

  test.each([
    ['a common one', 'administrator'],
    ['a common one in another case', 'AdminisTrator'],
    ['a common one in full-width letters', 'ａｄｍｉｎｉｓｔｒａｔｏｒ'],
    ['a keyboard pattern', '1qaz2wsx3edc'],
    ['a common one twice', 'passwordpassword'],
    ['a common one between digits and symbols', '2026Password!'],
  ])('%s is common', async (_, password) => {
    expect(await findPasswordProblem(password, owner)).toEqual({ code: 'password_common' })
  })

  test.each([
    ['one character', 'aaaaaaaaaaaaa'],
    ['one character beyond the basic plane', '🦉'.repeat(12)],
    ['blanks', ' '.repeat(12)],
    ['a repetition of few characters', 'abc1abc1abc1'],
    ['the e-mail', 'Verena.Gamper@kustos.test'],
    ['the part before the @', 'verena-gamper'],
    ['the name', 'verena gamper öttl'],
    ['the name and digits', 'VerenaGamperÖttl2026'],
    ["the product's name and digits", 'Kustos123456'],
    ["the product's name twice", 'kustoskustos'],
  ])('%s is too easy to guess', async (_, password) => {
    expect(await findPasswordProblem(password, owner)).toEqual({ code: 'password_guessable' })
  })

  test('is measured after normalisation', async () => {
    // Twelve code units in NFD are six letters.
    expect(await findPasswordProblem('é'.normalize('NFD').repeat(6), owner)).toEqual({
      code: 'too_short',
      params: { min: 12 },
    })
  })
})

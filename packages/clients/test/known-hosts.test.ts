import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { pinnedKeys } from '../src/runner/known-hosts.ts'

const [own, other, third] = ['the own key', 'another key', 'a third key'].map((text) => Buffer.from(text))
const keys = { own: own ?? Buffer.alloc(0), other: other ?? Buffer.alloc(0), third: third ?? Buffer.alloc(0) }
const line = (hosts: string, key: Buffer, type = 'ssh-ed25519') =>
  `${hosts} ${type} ${key.toString('base64')} comment`
const hashed = (name: string) => {
  const salt = Buffer.from('twenty bytes of salt')
  return `|1|${salt.toString('base64')}|${createHmac('sha1', salt).update(name).digest('base64')}`
}

test.each<[string, string, string, number, string]>([
  ['by its name', line('node.test', keys.own), 'node.test', 22, 'pinned'],
  ['by its name in capital letters', line('Node.test', keys.own), 'NODE.test', 22, 'pinned'],
  ['in a list of names', line('10.0.0.1,node.test', keys.own), 'node.test', 22, 'pinned'],
  ['by a pattern', line('*.hosting.test', keys.own), 'a.hosting.test', 22, 'pinned'],
  ['not if a pattern excludes it', line('*.test,!node.test', keys.own), 'node.test', 22, 'unknown'],
  ['not by treating a dot as a wildcard', line('nodeXtest', keys.own), 'node.test', 22, 'unknown'],
  ['by a hash', line(hashed('node.test'), keys.own), 'node.test', 22, 'pinned'],
  ['not by the hash of another', line(hashed('node.example'), keys.own), 'node.test', 22, 'unknown'],
  ['on a port', line('[node.test]:2222', keys.own), 'node.test', 2222, 'pinned'],
  ['on a port, by a hash', line(hashed('[node.test]:2222'), keys.own), 'node.test', 2222, 'pinned'],
  ['not on another port', line('[node.test]:2222', keys.own), 'node.test', 22, 'unknown'],
  ['not with another key', line('node.test', keys.other), 'node.test', 22, 'changed'],
  [
    'with one of its keys',
    [line('node.test', keys.other, 'ssh-rsa'), '# note', '', line('node.test', keys.own)].join('\n'),
    'node.test',
    22,
    'pinned',
  ],
  [
    'not if the key is revoked',
    [line('node.test', keys.own), line('@revoked *', keys.own)].join('\n'),
    'node.test',
    22,
    'revoked',
  ],
  ['not by a certificate authority', line('@cert-authority *', keys.own), 'node.test', 22, 'unknown'],
  ['not by a malformed line', 'node.test\nssh-ed25519', 'node.test', 22, 'unknown'],
])('a host is pinned %s', (_name, knownHosts, host, port, verdict) => {
  expect(pinnedKeys(knownHosts, host, port).check(keys.own)).toBe(verdict)
})

test('knows the types of pinned keys before connecting', () => {
  const knownHosts = [
    line('node.test', keys.own),
    line('node.test', keys.other, 'ssh-rsa'),
    line('@revoked node.test', keys.third, 'ssh-dss'),
  ].join('\n')
  expect(pinnedKeys(knownHosts, 'node.test', 22).types).toEqual(['ssh-ed25519', 'ssh-rsa'])
})

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createReportSigner, signatureLineBytes, verifyReport } from '../../../src/reports/signature.ts'

const run = promisify(execFile)
const seed = Buffer.alloc(32, 7)
const signer = createReportSigner([seed, Buffer.alloc(32, 8)])
if (signer === null) throw new Error('There is a key')
const pems = signer.keys.map((key) => key.public_key)
const hash = 'a'.repeat(64)
const document = Buffer.from('<!doctype html>\n<p>Grüße</p>\n')
const signed = signer.sign(document, hash, 'html')

describe('the signature of a report', () => {
  it('is a comment in the last line, whose length is always the same', () => {
    expect(signed.subarray(0, document.length)).toEqual(document)
    expect(signed.length - document.length).toBe(signatureLineBytes)
    expect(signed.toString()).toMatch(
      /<\/p>\n<!--kustos-report-1 record=a{64} document=[0-9a-f]{64} key=[0-9a-f]{16} signature=[\w+/]{86}==-->\n$/,
    )
    const pdf = signer.sign(Buffer.from('%PDF-1.4\n%%EOF'), hash, 'pdf')
    expect(pdf.subarray(-signatureLineBytes).toString()).toMatch(/^%%%%kustos-report-1 record=.*==%%%\n$/)
    expect(verifyReport(pdf, pems)).toMatchObject({ ok: true })
  })

  it('is verified with the public key', () => {
    expect(verifyReport(signed, pems)).toEqual({ ok: true, recordHash: hash, keyId: signer.keyId })
  })

  it('is refused for every byte that is changed', () => {
    for (let at = 0; at < signed.length; at++) {
      const altered = Buffer.from(signed)
      altered.writeUInt8((altered.readUInt8(at) ^ 1) & 0xff, at)
      expect(verifyReport(altered, pems), `byte ${at}`).toMatchObject({ ok: false })
    }
  })

  it.each([
    ['a byte less', signed.subarray(1), 'altered'],
    ['a byte more at the beginning', Buffer.concat([Buffer.from('x'), signed]), 'altered'],
    ['something behind it', Buffer.concat([signed, Buffer.from('\n')]), 'unsigned'],
    [
      'another document before it',
      Buffer.concat([Buffer.from('other\n'), signed.subarray(-signatureLineBytes)]),
      'altered',
    ],
    ['no signature', document, 'unsigned'],
    ['nothing', Buffer.alloc(0), 'unsigned'],
  ])('is refused with %s', (_, file, fault) => {
    expect(verifyReport(file, pems)).toEqual({ ok: false, fault })
  })

  it('is refused with another key, even if it has the same id in the file', () => {
    const other = createReportSigner([randomBytes(32)])
    expect(verifyReport(signed, other?.keys.map((key) => key.public_key) ?? [])).toEqual({
      ok: false,
      fault: 'other key',
    })
    const forged = signed.toString('latin1').replace(signer.keyId, other?.keyId ?? '')
    expect(
      verifyReport(Buffer.from(forged, 'latin1'), other?.keys.map((key) => key.public_key) ?? []),
    ).toEqual({
      ok: false,
      fault: 'altered',
    })
  })

  it('is made with the first key; former ones still verify', () => {
    expect(signer.keys.map(({ current }) => current)).toEqual([true, false])
    const former = createReportSigner([Buffer.alloc(32, 8)])
    expect(former?.keyId).toBe(signer.keys[1]?.id)
    expect(verifyReport(former?.sign(document, hash, 'html') ?? document, pems)).toMatchObject({ ok: true })
    expect(createReportSigner([])).toBe(null)
  })

  it('is verified by the commands of docs/reports.md, and an altered report is not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kustos-report-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const docs = await readFile(new URL('../../../../../docs/reports.md', import.meta.url), 'utf8')
    const [, script = ''] = /```sh\n(# report\.html and[^`]+)```/.exec(docs) ?? []
    const check = async (file: Buffer) => {
      await writeFile(join(folder, 'report.html'), file)
      await writeFile(join(folder, 'kustos.pem'), pems[0] ?? '')
      return run('sh', ['-euc', script], { cwd: folder }).then(
        ({ stdout }) => stdout,
        () => 'refused',
      )
    }
    expect(await check(signed)).toContain('Signature Verified Successfully')
    const altered = Buffer.from(signed.toString('latin1').replace('<p>', '<b>'), 'latin1')
    expect(await check(altered)).toBe('refused')
    const other = Buffer.from(signed.toString('latin1').replace(hash, 'b'.repeat(64)), 'latin1')
    expect(await check(other)).toBe('refused')
  })
})

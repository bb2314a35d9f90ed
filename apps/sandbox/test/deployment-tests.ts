import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { nodeActionNames } from '@kustos/contract/deployment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDeployer, newWebRequest } from './deployer.ts'
import type { RunningSandbox } from './set-up-sandbox.ts'

/** Defines the tests of deployments in a running sandbox. */
export function testDeployments({ folder, admin }: RunningSandbox): void {
  const { request, waitForDeployment, waitForInspection, readDeployment, findCloudWeb, listWebs } =
    createDeployer(admin)

  async function setHealth(health: string): Promise<void> {
    const [repository] = (await (await admin.call('GET', '/api/bitbucket')).json()) as {
      links: { html: { href: string } }
    }[]
    const { origin } = new URL(repository?.links.html.href ?? '')
    await fetch(`${origin}/_sandbox/health/${health}`, { method: 'PUT' })
  }

  test('runs every node action', async () => {
    const { id, fqdn, node } = await findCloudWeb()
    for (const action of nodeActionNames) {
      const deployment = await waitForDeployment(await request(action, { id }))
      expect(deployment, action).toMatchObject({ state: 'succeeded', error: null, web_id: id })
    }
    const nodeFolder = join(folder, 'nodes', node ?? '')
    expect(await readFile(join(nodeFolder, 'exports', fqdn, `${id}.sql`), 'utf8')).toContain('INSERT INTO')
    expect((await readdir(join(nodeFolder, 'backups', fqdn))).length).toBe(2)
    expect(await readdir(join(nodeFolder, 'webs', fqdn, 'httpdocs'))).toContain('public')
    // Other users of a node read no database.
    for (const part of ['exports', 'kick', 'backups', 'webs']) {
      expect((await stat(join(nodeFolder, part))).mode & 0o077, part).toBe(0)
      const entries = await readdir(join(nodeFolder, part), { recursive: true, withFileTypes: true })
      const dumps = entries.filter((entry) => !entry.isSymbolicLink())
      expect(dumps.length, part).toBeGreaterThan(0)
      for (const { parentPath, name } of dumps)
        expect((await stat(join(parentPath, name))).mode & 0o077, join(parentPath, name)).toBe(0)
    }
  })

  test('backs up a web with the longest name', async () => {
    const long = (await listWebs()).find((web) => web.fqdn.length === 253)
    expect(await waitForDeployment(await request('backupWeb', { id: long?.id }))).toMatchObject({
      state: 'succeeded',
    })
  })

  test('fails an import without an export and names what is missing', async () => {
    const { id } = await findCloudWeb(3)
    const deployment = await waitForDeployment(await request('importDatabase', { id }))
    expect(deployment.state).toBe('failed')
    expect(deployment.error).toMatch(/export/i)
  })

  test('creates a requested web in less than 15 s', async () => {
    const started = Date.now()
    const deployment = await waitForDeployment(await request('newWeb', newWebRequest('ganz-neu.test')))
    expect(deployment).toMatchObject({ state: 'succeeded', error: null })
    expect(Date.now() - started).toBeLessThan(15_000)
    const web = (await listWebs()).find((one) => one.fqdn === 'ganz-neu.test')
    expect(web).toMatchObject({ id: deployment.web_id, status: 0, http_status_code: 200 })
    for (const [route, state] of [
      ['refreshWeb', 'succeeded'],
      ['updateTracking', 'succeeded'],
    ]) {
      const inspection = await waitForInspection(await admin.call('POST', `/api/request/${route}/${web?.id}`))
      expect(inspection, route).toMatchObject({ state, problems: [] })
    }
    const refreshed = (await listWebs()).find((one) => one.fqdn === 'ganz-neu.test')
    expect(refreshed).toMatchObject({
      domain_status: 1,
      sysuser: 'bn4711-ganz-neu-test',
      sites: [],
      tracking_data: {
        gtm: { id: 'GTM-VORLAGE' },
        referrerjs: { version: 2 },
        consentmode: { ad_storage: 'denied' },
        tracking_services: { matomo: [{ id: '1' }], linkedinads: [{ id: '100100' }] },
      },
    })
    const again = await request('newWeb', newWebRequest('ganz-neu.test'))
    expect(again.status).toBe(422)
    expect(await again.json()).toMatchObject({
      errors: { futureDomain: ['A repo with this domain already exists!'] },
    })
  })

  test('creates webs from a fork and a trial-day request', async () => {
    const repositories = (await (await admin.call('GET', '/api/bitbucket')).json()) as {
      name: string
      web: { id: number } | null
    }[]
    const source = repositories.find((one) => one.name.startsWith('web134-') && one.web !== null)
    const fork = await waitForDeployment(
      await request(
        'newWeb',
        newWebRequest('gegabelt.test', { sourceRepo: source?.name, bnName: 'bn12-gabel' }),
      ),
    )
    expect(fork).toMatchObject({ state: 'succeeded', error: null })
    const name = 'schnuppertag-murmeltierstübe'
    const trial = await waitForDeployment(
      await request('newWeb', {
        sourceRepo: 'schnuppertag-kickstarter',
        bnName: name,
        futureDomain: name,
        customer: 'AGENTUR',
      }),
    )
    expect(trial).toMatchObject({ state: 'succeeded', error: null })
    const names = ((await (await admin.call('GET', '/api/bitbucket')).json()) as { name: string }[]).map(
      (one) => one.name,
    )
    expect(names).toContain('web134-gegabelt.test')
    expect(names).toContain('schnuppertag-murmeltierstuebe')
  })

  describe('while Bitbucket is down', () => {
    beforeAll(() => setHealth('down'))
    afterAll(() => setHealth('ok'))

    test('lists the last known repositories and fails a request before anything is created', async () => {
      const before = (await listWebs()).length
      const deployment = await waitForDeployment(
        await request('newWeb', newWebRequest('halb-fertig.test')),
        90_000,
      )
      expect(deployment).toMatchObject({ state: 'failed', web_id: null })
      expect(deployment.error).toMatch(/^Pre-flight: .*Bitbucket/)
      expect((await listWebs()).length).toBe(before)
      const startedAt = performance.now()
      const list = await admin.call('GET', '/api/bitbucket')
      expect(list.status).toBe(200)
      expect(performance.now() - startedAt).toBeLessThan(1_000)
      await setHealth('ok')
      const retried = await admin.call('POST', `/api/deployments/${deployment.id}/retry`)
      expect(retried.status).toBe(204)
      for (const until = Date.now() + 30_000; Date.now() < until; await sleep(200)) {
        if ((await readDeployment(String(deployment.id)))?.state === 'succeeded') break
      }
      expect(await readDeployment(String(deployment.id))).toMatchObject({ state: 'succeeded' })
    })
  })

  test('does not pass shell metacharacters to a shell', async () => {
    const marker = join(folder, 'marker')
    const payloads = [`;touch ${marker}`, `$(touch ${marker})`, `\`touch ${marker}\``, `\ntouch ${marker}\n`]
    for (const payload of payloads) {
      for (const field of ['sourceRepo', 'bnName', 'futureDomain', 'customer']) {
        const response = await request('newWeb', newWebRequest('harmlos.test', { [field]: payload }))
        expect([422, 400], `${field}: ${payload}`).toContain(response.status)
      }
    }
    for (const option of ['-rf', '--upload-pack=touch', '../../etc', '..']) {
      for (const field of ['sourceRepo', 'bnName', 'futureDomain', 'customer']) {
        const response = await request('newWeb', newWebRequest('harmlos.test', { [field]: option }))
        expect(response.status, `${field}: ${option}`).toBe(422)
      }
    }
    // The customer of a web is free text, but does not reach a command either.
    const { id } = await findCloudWeb(5)
    const web = (await (await admin.call('GET', `/api/webs/${id}`)).json()) as Record<string, unknown>
    const edited = await admin.call('PUT', `/api/webs/${id}`, {
      fqdn: web.fqdn,
      configured_ip: web.configured_ip,
      customer: `$(touch ${marker}); touch ${marker} \`touch ${marker}\``,
      comment: `-rf ../..\n$(touch ${marker})`,
    })
    expect(edited.status).toBe(204)
    for (const action of ['backupWeb', 'exportDatabase', 'updateWeb'])
      await waitForDeployment(await request(action, { id }))
    expect(existsSync(marker)).toBe(false)
  })
}

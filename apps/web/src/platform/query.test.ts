import { tableType } from '@kustos/contract/route'
import { usersRoutes } from '@kustos/contract/users'
import { websRoutes } from '@kustos/contract/webs'
import { QueryObserver } from '@tanstack/react-query'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

const { listWebs, deleteWeb, refreshWeb } = websRoutes
const user = { id: 1, email: 'ada@kustos.test', name: 'Ada', roles: [], permissions: [] }

/** The requests that were made, as "METHOD path". */
let requests: string[]
let signedIn: object
let respond: (request: string) => Promise<Response>

const json = (body: unknown, headers = {}, status = 200) => Response.json(body, { headers, status })

let query: typeof import('./query.ts')
let session: typeof import('./session.ts')
let client: typeof import('./client.ts')

beforeAll(async () => {
  // The parts of a browser that the modules use.
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=token' })
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    const request = `${method} ${url}`
    requests.push(request)
    return respond(request)
  })
  query = await import('./query.ts')
  session = await import('./session.ts')
  client = await import('./client.ts')
})
beforeEach(() => {
  requests = []
  signedIn = user
  respond = async (request) => {
    if (request === 'GET /api/users/current') return json(signedIn)
    if (request.startsWith('DELETE')) return new Response(null, { status: 204 })
    return json({ webs: [], nodes: [] })
  }
})
afterAll(() => {
  vi.unstubAllGlobals()
})
afterEach(() => {
  query.queryClient.clear()
})

function showWebs() {
  const { queryClient, keyOf } = query
  const observer = new QueryObserver(queryClient, {
    queryKey: keyOf(listWebs),
    queryFn: () => client.call(listWebs, {}),
  })
  return observer.subscribe(() => {})
}
const remove = () => query.write(deleteWeb, { params: { id: 7 } }, [listWebs])
const emitEvent = () => query.refreshAfterEvent(query.keyOf(listWebs))
const listRequests = () => requests.filter((request) => request === 'GET /api/webs')
const settle = () => new Promise((resolve) => setTimeout(resolve, 30))

describe('write', () => {
  it.each([
    ['before its response', 0],
    ['after its response', 20],
  ])('refetches a list once when its event arrives %s', async (_, eventDelayMs) => {
    const unsubscribe = showWebs()
    await settle()
    const { length: before } = listRequests()
    const respondBefore = respond
    respond = async (request) => {
      if (request.startsWith('DELETE')) {
        if (eventDelayMs === 0) emitEvent()
        else setTimeout(emitEvent, eventDelayMs)
      }
      return respondBefore(request)
    }
    await remove()
    await settle()
    expect(listRequests().length - before).toBe(1)
    unsubscribe()
  })

  it('refetches a list without an event', async () => {
    const unsubscribe = showWebs()
    await settle()
    const { length: before } = listRequests()
    await remove()
    expect(listRequests().length - before).toBe(1)
    unsubscribe()
  })
})

describe('refreshAfterEvent', () => {
  it('lets a fetch that is under way finish, and fetches again', async () => {
    let finish = () => {}
    respond = () =>
      new Promise((resolve) => {
        finish = () => resolve(json({ webs: [], nodes: [] }))
      })
    const unsubscribe = showWebs()
    await settle()
    emitEvent()
    await settle()
    expect(listRequests()).toHaveLength(1)
    finish()
    await settle()
    expect(listRequests()).toHaveLength(2)
    finish()
    unsubscribe()
  })
})

describe('cached responses', () => {
  const changeUser = () => {
    signedIn = { ...user, id: 2 }
    return session.refreshUser()
  }

  it.each([
    ['another user takes over the session', () => changeUser()],
    ['the user signs out', () => session.signOut()],
  ])('are forgotten when %s', async (_, endSession) => {
    const { keyOf, queryClient } = query
    await session.refreshUser()
    respond = async (request) => {
      if (request === 'GET /api/users/current') return json(signedIn)
      if (request.startsWith('POST')) return new Response(null, { status: 204 })
      return json([{ id: 1 }], { etag: '"same"' })
    }
    queryClient.setQueryData(keyOf(usersRoutes.listUsers), [])
    const first = await client.call(usersRoutes.listUsers, {})
    expect(await client.call(usersRoutes.listUsers, {})).toBe(first)

    await endSession()
    expect(queryClient.getQueryCache().getAll()).toEqual([])
    expect(await client.call(usersRoutes.listUsers, {})).not.toBe(first)
  })
})

describe('refreshUser', () => {
  it('ignores a response that comes after the user has signed out', async () => {
    await session.refreshUser()
    const response = Promise.withResolvers<Response>()
    respond = async (request) =>
      request.startsWith('GET') ? response.promise : new Response(null, { status: 204 })
    const refreshing = session.refreshUser()
    await session.signOut()
    response.resolve(json(user))
    await refreshing
    expect(session.signedInUser()).toBeNull()
  })
})

it('reads a list that comes as a table as if it were JSON', async () => {
  const table = { fields: ['id', 'fqdn'], rows: [[7, 'a.test']], nodes: [] }
  respond = async () => json(table, { 'content-type': tableType, etag: '"1"' })
  const list = await client.call(listWebs, {})
  expect(list).toEqual({ data: [{ id: 7, fqdn: 'a.test' }], nodes: [] })
  expect(await client.call(listWebs, {})).toBe(list)
})

describe('create', () => {
  it.each([
    ['/api/inspections/17', 17],
    ['https://kustos.example/api/inspections/1', 1],
    ['/api/inspections/0', null],
    ['', null],
  ])('reads the created id from the Location %s', async (location, id) => {
    respond = async () => new Response(null, { status: 204, headers: { location } })
    expect(await query.create(refreshWeb, { params: { id: 7 } }, [])).toBe(id)
  })

  it('refetches what it changed', async () => {
    const unsubscribe = showWebs()
    await settle()
    respond = async (request) =>
      request.startsWith('GET') ? json({ webs: [], nodes: [] }) : new Response(null, { status: 204 })
    await query.create(refreshWeb, { params: { id: 7 } }, [listWebs])
    // Earlier refetches of the list may delay this one by a second.
    await vi.waitFor(() => expect(listRequests()).toHaveLength(2), 3000)
    unsubscribe()
  })
})

it('refetches after the events of others while a write waits for the password', async () => {
  const unsubscribe = showWebs()
  await settle()
  const { length: before } = listRequests()
  const password = Promise.withResolvers<boolean>()
  client.onUnconfirmed(() => password.promise)
  const respondBefore = respond
  respond = async (request) => (request.startsWith('DELETE') ? json({}, {}, 423) : respondBefore(request))
  const removed = remove()
  await settle()
  emitEvent()
  // Earlier refetches of the list may delay this one by a second.
  await vi.waitFor(() => expect(listRequests().length - before).toBe(1), 3000)
  respond = respondBefore
  password.resolve(true)
  await removed
  expect(listRequests().length - before).toBe(2)
  unsubscribe()
})

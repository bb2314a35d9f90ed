import { reportsRoutes } from '@kustos/contract/reports'
import { readReport } from '@kustos/domain/reports'
import type { FastifyInstance } from 'fastify'
import { bind, type Services } from '../plugins/contract.ts'
import { signalOf } from '../plugins/files.ts'

/** For those who open a report in a tab: it is no page of Kustos, and can do nothing. */
const policy =
  "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

export function registerReportRoutes(app: FastifyInstance, services: Services): void {
  const tools = { queues: services.deployments.queues, signer: services.reportSigner }
  bind(app, services, 'reports', reportsRoutes, {
    async readReport({ params, query }, { context, reply }) {
      const signal = signalOf(reply)
      const file = await readReport(context, tools, params.id, query, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error
        return null
      })
      // The client has gone.
      if (file === null) return reply.hijack()
      return reply
        .header('content-type', file.type)
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .header('content-security-policy', policy)
        .send(file.bytes)
    },
    listReportKeys: () => Promise.resolve({ data: [...(services.reportSigner?.keys ?? [])] }),
  })
}

import type { OpenDatabase } from '@kustos/database/client'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/**
 * A registry with the metrics of this process: memory, processor, event loop and garbage collection.
 * @param revision of the running sources
 */
export function openRegistry(program: 'api' | 'worker', revision: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'kustos_build_info',
    help: 'Always 1; the labels tell what runs',
    labelNames: ['program', 'revision'],
    registers: [registry],
  }).set({ program, revision }, 1)
  return registry
}

export function watchPool(
  registry: Registry,
  { pool, isPooled }: Pick<OpenDatabase, 'pool' | 'isPooled'>,
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `kustos_database_pool_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge(
    'connections',
    'Open connections of this process to the database or its pooler',
    () => pool.totalCount,
  )
  gauge('max', 'How many of them this process opens at most', () => pool.options.max)
  gauge('idle', 'Those of them that nothing uses', () => pool.idleCount)
  gauge('waiting', 'Queries and transactions that wait for a connection', () => pool.waitingCount)
  gauge('is_pooled', '1 if they lead to a pooler (DATABASE_POOLER_URL)', () => Number(isPooled))
}

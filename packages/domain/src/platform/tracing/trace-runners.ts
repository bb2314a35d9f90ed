import { basename } from 'node:path'
import type { Outcome, Runner, Runners } from '@kustos/clients/runner'
import { type SpanOptions, withSpan } from './tracing.ts'

/** Records each command on a node as a span, without its arguments, which may hold secrets. */
export const traceRunners = (runners: Runners): Runners => ({
  ...runners,
  node(node) {
    const runner = runners.node(node)
    const options = (runId: string): SpanOptions => ({
      kind: 'client',
      attributes: {
        'server.address': node.ssh_host ?? node.plesk_fqdn,
        'kustos.node': node.name,
        'kustos.run': runId,
      },
    })
    return {
      ...runner,
      run: (command, follow) =>
        traceCommand(`run ${basename(command.argv[0])}`, options(command.runId), () =>
          runner.run(command, follow),
        ),
      attach: (command, follow) =>
        traceCommand('follow command', options(command.runId), () => runner.attach(command, follow)),
    } satisfies Runner
  },
})

const traceCommand = <Result extends Outcome | null>(
  name: string,
  options: SpanOptions,
  follow: () => Promise<Result>,
): Promise<Result> =>
  withSpan(name, options, async (span) => {
    const outcome = await follow()
    if (outcome?.kind === 'exited') span?.set({ 'process.exit.code': outcome.code })
    if (outcome !== null && !(outcome.kind === 'exited' && outcome.code === 0)) span?.fail(outcome.kind)
    return outcome
  })

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { command, root } from './command.ts'
import { fail, type Outcome, pass } from './gate.ts'
import { findUndocumentedLogFields } from './log-fields.ts'

const folder = join(root, 'observability')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

interface RuleTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts: readonly unknown[] }[]
}

/**
 * Checks alert rules and dashboard: each alert has its texts, its section in docs/observability.md and a test in which it is
 * quiet and fires. With promtool (Debian's package prometheus) it runs these tests, and checks every expression. The page must
 * also explain every log field.
 */
export async function observability(): Promise<Outcome> {
  const rules = (
    await readYaml<{ groups: readonly { rules: readonly Rule[] }[] }>('alerts.yml')
  ).groups.flatMap((group) => group.rules)
  const tests = (await readYaml<{ tests: readonly RuleTest[] }>('alerts.test.yml')).tests.flatMap(
    (test) => test.alert_rule_test,
  )
  const page = await readFile(join(root, 'docs/observability.md'), 'utf8')
  const sections = [...page.matchAll(/^### (Kustos\w+)$/gm)].map(([, name = '']) => name)
  const complaints = [
    ...rules.flatMap((rule) => [...findFaults(rule, tests)].map((fault) => `${rule.alert} ${fault}`)),
    ...rules
      .filter(({ alert }) => !sections.includes(alert))
      .map(({ alert }) => `docs/observability.md has no section ${alert}`),
    ...sections
      .filter((name) => !rules.some(({ alert }) => alert === name))
      .map((name) => `docs/observability.md explains ${name}, which no rule has`),
    ...(await findUndocumentedLogFields(page)),
  ]
  if (complaints.length > 0) return fail(complaints.join('\n'))
  if (!(await command('promtool', ['--version'])).ok)
    return { ...pass, skipped: 1, output: 'promtool is not installed, so the rules were not run' }
  const failure = (await runTests()) ?? (await checkDashboard())
  return failure === null ? pass : fail(failure)
}

function* findFaults({ alert, labels, annotations }: Rule, tests: RuleTest['alert_rule_test']) {
  if (!['critical', 'warning'].includes(labels.severity ?? '')) yield 'has no severity'
  for (const name of ['summary', 'description']) if ((annotations[name] ?? '') === '') yield `has no ${name}`
  const section = `docs/observability.md#${alert.toLowerCase()}`
  if (annotations.runbook !== section) yield `does not have the runbook ${section}`
  const own = tests.filter(({ alertname }) => alertname === alert)
  if (!own.some((test) => test.exp_alerts.length === 0)) yield 'has no test in which it is quiet'
  if (!own.some((test) => test.exp_alerts.length > 0)) yield 'has no test in which it fires'
}

const readYaml = async <T>(file: string): Promise<T> => parse(await readFile(join(folder, file), 'utf8'))

/** @returns the output of a failure */
async function runTests(): Promise<string | null> {
  const { ok, output } = await command('promtool', ['test', 'rules', 'alerts.test.yml'], {
    directory: folder,
  })
  return ok ? null : output
}

/** Lets promtool parse the dashboard's expressions as rules. @returns the output of a failure */
async function checkDashboard(): Promise<string | null> {
  const dashboard = await readFile(join(folder, 'grafana-dashboard.json'), 'utf8')
  const rules = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""'], index) => ({
    record: `expression_${index}`,
    expr: String(JSON.parse(text)).replaceAll('$__rate_interval', '5m'),
  }))
  const temporary = await mkdtemp(join(tmpdir(), 'kustos-dashboard-'))
  try {
    const file = join(temporary, 'rules.yml')
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { ok, output } = await command('promtool', ['check', 'rules', file])
    return ok ? null : output
  } finally {
    await rm(temporary, { recursive: true })
  }
}

import type { IncidentTimelineEntry } from '@kustos/contract/incidents'
import { describe, expect, it } from 'vitest'
import { withMilestones } from './milestones.ts'

const day = (number: number) => `2026-11-${number}T09:32:11.000Z`
const entry = (kind: IncidentTimelineEntry['kind'], at: string) => ({ kind, at }) as IncidentTimelineEntry
const incident = { started_at: day(21), alerted_at: day(22), ended_at: null }
const shown = (...[of, entries]: Parameters<typeof withMilestones>) =>
  withMilestones(of, entries).map((one) => ('milestone' in one ? one.milestone : one.kind))

describe('the timeline of an incident', () => {
  it('has its start and its alert even if no probe or alert is left', () => {
    expect(shown(incident, [entry('deployment', day(27))])).toEqual(['started', 'alerted', 'deployment'])
    expect(shown({ ...incident, alerted_at: null }, [])).toEqual(['started'])
  })

  it('has its end, in the order of time and before what happened at the same time', () => {
    const entries = [entry('change', day(20)), entry('probe', day(21)), entry('probe', day(24))]
    expect(shown({ ...incident, ended_at: day(24) }, entries)).toEqual([
      'change',
      'started',
      'probe',
      'alerted',
      'ended',
      'probe',
    ])
  })

  it('does not repeat an alert that is left', () => {
    expect(shown(incident, [entry('alert', day(22))])).toEqual(['started', 'alert'])
  })
})

import type { Requirement } from '../permissions.ts'
import { nodeActionNames, nodeActionOf, nodeActions } from './actions.ts'

export const deploymentKinds = [...nodeActionNames, 'newWeb'] as const
export type DeploymentKind = (typeof deploymentKinds)[number]

export const deploymentStates = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type DeploymentState = (typeof deploymentStates)[number]

/** Who may request, retry and cancel deployments of a kind. */
export const accessOf = (kind: DeploymentKind): Requirement =>
  kind === 'newWeb' ? { all: ['create webs', 'view bitbucket'] } : nodeActions[kind].access

/** The English name of a kind. */
export const deploymentName = (kind: DeploymentKind): string =>
  kind === 'newWeb' ? 'New web' : nodeActions[kind].name

export const overwritesData = (kind: DeploymentKind): boolean =>
  kind !== 'newWeb' && nodeActionOf(kind).overwrites === true

export const stepStates = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const
export type StepState = (typeof stepStates)[number]

/** Where a step runs: in Kustos itself or on the web's node. Only old deployments have steps on the worker's machine. */
export const stepPlaces = ['builtin', 'controller', 'node'] as const
export type StepPlace = (typeof stepPlaces)[number]

import type { Requirement } from '../permissions.ts'
import { nodeActionNames, nodeActions } from './actions.ts'

/** What a deployment executes: a node action, or a request for a new web. */
export const deploymentKinds = [...nodeActionNames, 'newWeb'] as const
export type DeploymentKind = (typeof deploymentKinds)[number]

export const deploymentStates = ['waiting', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type DeploymentState = (typeof deploymentStates)[number]

/** Who may ask for each kind, and later retry or cancel it. */
export const accessOf = (kind: DeploymentKind): Requirement =>
  kind === 'newWeb' ? { all: ['create webs', 'view bitbucket'] } : nodeActions[kind].access

export const stepStates = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const
export type StepState = (typeof stepStates)[number]

/** Where a step is carried out: by Kustos itself, on the machine that it runs on, or on the web's node. */
export const stepPlaces = ['builtin', 'controller', 'node'] as const
export type StepPlace = (typeof stepPlaces)[number]

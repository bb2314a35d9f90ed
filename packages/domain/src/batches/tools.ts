import type { DeploymentTools } from '../deployment/index.ts'
import type { InspectionTools } from '../inspections/index.ts'

/** Requests deployments and inspections. */
export type BatchTools = DeploymentTools & InspectionTools

import { join } from 'node:path'
import { startBitbucket } from './bitbucket/index.ts'
import type { DataFolder } from './data-folder.ts'
import type { World } from './world.ts'

/** What of the outside world the sandbox plays itself, as the environment of those who talk to it. */
export type Surroundings = Readonly<Record<string, string>>

/** Starts those outside services that the configuration does not name real ones for. */
export async function startSurroundings(world: World, folder: DataFolder): Promise<Surroundings> {
  const { configuration, ending } = world
  // The customer of trial-day webs.
  const settings: Record<string, string> = { OPERATOR_CODE: configuration.OPERATOR_CODE ?? 'AGENTUR' }
  if (configuration.BITBUCKET_WORKSPACE === undefined) {
    const bitbucket = await startBitbucket({ folder: join(folder.path, 'bitbucket') })
    ending.push(() => bitbucket.stop())
    Object.assign(settings, {
      BITBUCKET_URL: bitbucket.url,
      BITBUCKET_WORKSPACE: bitbucket.workspace,
      BITBUCKET_TOKEN: bitbucket.token,
      TRIAL_DAY_TEMPLATE: configuration.TRIAL_DAY_TEMPLATE ?? bitbucket.trialDayTemplate,
    })
  }
  return settings
}

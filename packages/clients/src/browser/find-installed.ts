import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The Chromium of this machine: the one that KUSTOS_BROWSER names, else the first on the PATH that runs. Ubuntu's
 * `chromium-browser` is a script that only asks to install a snap, so being there is not enough.
 */
export async function installedBrowser(environment: NodeJS.ProcessEnv): Promise<string | null> {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'))
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  for (const program of [environment.KUSTOS_BROWSER ?? '', ...onPath])
    if (program !== '' && (await isExecutable(program)) && (await printsVersion(program))) return program
  return null
}

const isExecutable = (program: string) =>
  access(program, constants.X_OK).then(
    () => true,
    () => false,
  )

const printsVersion = (program: string) =>
  new Promise<boolean>((resolve) => {
    execFile(program, ['--version'], { timeout: 5_000 }, (error, output) =>
      resolve(error === null && /\d+\.\d+/.test(output)),
    )
  })

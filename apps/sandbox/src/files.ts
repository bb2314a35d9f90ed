import { readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export async function replaceFile(path: string, text: string, mode = 0o644): Promise<void> {
  await writeFile(`${path}.new`, text, { mode })
  await rename(`${path}.new`, path)
}

/** The bytes of all files in a folder; files that disappear while they are read count as empty. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        stat(join(parentPath, name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

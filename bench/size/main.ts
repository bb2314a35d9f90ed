// Builds the frontend in memory and prints what a browser with an empty cache loads until a screen is shown.
import { buildForMeasuring, firstScreens } from '../../apps/web/first-load.ts'

const measure = await buildForMeasuring()

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`.padStart(9)

for (const [screen, targetKb] of [
  ['login', 150],
  ['webList', 300],
] as const) {
  const { scriptBytes, styleBytes, fontBytes, documentBytes } = measure(firstScreens[screen])
  const all = scriptBytes + styleBytes + fontBytes + documentBytes
  process.stdout.write(
    `${screen.padEnd(8)} scripts and texts ${kilobytes(scriptBytes)} (target: at most ${targetKb}), styles ${kilobytes(styleBytes)}, font ${kilobytes(fontBytes)}, document ${kilobytes(documentBytes)}, all ${kilobytes(all)}\n`,
  )
}

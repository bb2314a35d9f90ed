// The rest is loaded after this check: an older Node could not even read it.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(`Kustos runs on Node 24 or newer, and this is ${process.version}.\n`)
  process.exit(1)
}
const { run } = await import('./run.ts')
process.exit(await run(process.env))

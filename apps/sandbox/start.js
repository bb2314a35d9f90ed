// Plain JavaScript, so that a Node that is too old can run it and explain why it cannot start.
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  process.stderr.write(`Kustos runs on Node 24 or newer, and this is ${process.version}.\n`)
  process.exit(1)
}
await import('./src/main.ts')

import { createServer } from 'node:net'
import { codeOf, Refusal, reasonOf } from './refusal.ts'

/** @throws Refusal where the API could not listen there */
export async function checkPort(host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      const server = createServer()
      server.once('error', reject)
      server.listen(port, host, () => server.close(() => resolve()))
    })
  } catch (error) {
    throw new Refusal(sentence(codeOf(error), host, port, error))
  }
}

function sentence(code: string | undefined, host: string, port: number, error: unknown): string {
  const other = `give another one, such as PORT=${port < 1024 ? 3000 : port + 1}`
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program: end that one, or ${other}.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user: ${other}.`
  return `HOST ${host} is no address of this machine (${code ?? reasonOf(error)}): leave it out, or give 0.0.0.0 for all.`
}

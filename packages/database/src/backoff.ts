/**
 * Yields delays in milliseconds that double up to a limit. Each is shortened by up to half at random, so that programs that
 * failed together do not retry together.
 */
export function* backoff(firstMs: number, maxMs: number): Generator<number, never> {
  for (let delayMs = firstMs; ; delayMs = Math.min(2 * delayMs, maxMs))
    yield delayMs * (0.5 + Math.random() / 2)
}

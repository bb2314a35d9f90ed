import { useEffect, useState } from 'react'

/**
 * The time, which moves on by itself.
 * @param interval in milliseconds; null stands still
 */
export function useNow(interval: number | null): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (interval === null) return
    const timer = setInterval(() => setNow(Date.now()), interval)
    return () => clearInterval(timer)
  }, [interval])
  return now
}

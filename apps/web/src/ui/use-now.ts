import { useEffect, useState } from 'react'

/** The current time in milliseconds, updated every `interval` milliseconds, or never for null. */
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

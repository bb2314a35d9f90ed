export const outcomeTones = { seen: 'green', partial: 'orange', failed: 'red' } as const

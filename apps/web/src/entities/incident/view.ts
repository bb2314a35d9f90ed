export const views = ['chart', 'table'] as const

export const chartHeight = 260

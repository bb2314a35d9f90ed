/** How the downtimes are shown. */
export const views = ['chart', 'table'] as const

/** In pixels; what stands in a chart's place is as high. */
export const chartHeight = 260

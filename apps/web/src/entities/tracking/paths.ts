export const trackingPath = (id: number) => `/hosting/tracking/${id}`

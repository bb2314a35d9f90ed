export const listPath = '/limitis/externaldomains/list'
export const addPath = '/limitis/externaldomains/add'

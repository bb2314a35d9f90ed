import { isList, isObject, type Json, type Resource } from './kustomize.ts'

type Validate = ((data: unknown) => boolean) & {
  readonly errors?:
    | readonly {
        readonly instancePath: string
        readonly message?: string
        readonly keyword: string
        readonly params: object
      }[]
    | null
}

/** Compares an object with the schema of its kind in Kubernetes' OpenAPI document. */
export async function findSchemaFaults(resource: Resource): Promise<string[]> {
  const validate = await loadSchema(resource)
  if (validate === null) return [`there is no ${resource.kind} in ${resource.apiVersion}`]
  const unread = new Set<string>()
  const isValid = validate(watchReads(resource, '', unread))
  const errors = isValid ? [] : (validate.errors ?? [])
  return [
    ...errors.map(
      ({ instancePath, keyword, params }) => `${instancePath} is wrong: ${keyword} ${JSON.stringify(params)}`,
    ),
    // What only is below an unknown or invalid field is not mentioned.
    ...[...unread]
      .filter((path) => !errors.some(({ instancePath }) => path.startsWith(`${instancePath}/`)))
      .filter((path) => ![...unread].some((other) => path.startsWith(`${other}/`)))
      .map((path) => `${path} is unknown`),
  ]
}

async function loadSchema({ apiVersion, kind }: Resource): Promise<Validate | null> {
  const [version = '', group = 'core'] = apiVersion.split('/').reverse()
  const name = `IoK8sApi${capitalize(group.split('.', 1)[0] ?? '')}${capitalize(version)}${kind}`
  try {
    const schema: { readonly validate: Validate } = await import(`kubernetes-models/_schemas/${name}`)
    return schema.validate
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * The schemas allow fields that they do not know, which the API server drops. A validator reads every field that it knows, so those
 * that it does not read are unknown.
 * @param unread gets the paths of all fields, and loses those that are read
 */
function watchReads(value: Json, path: string, unread: Set<string>): Json {
  if (!isList(value) && !isObject(value)) return value
  const children = new Map(
    Object.entries(value).map(([key, child]) => {
      const childPath = `${path}/${key}`
      if (!isList(value)) unread.add(childPath)
      return [key, { path: childPath, value: watchReads(child, childPath, unread) }]
    }),
  )
  return new Proxy(value, {
    get(target, key) {
      const child = typeof key === 'string' ? children.get(key) : undefined
      if (child === undefined) return Reflect.get(target, key)
      unread.delete(child.path)
      return child.value
    },
  })
}

new Image().src = `https://googleads.g.doubleclick.net/pagead/viewthroughconversion/${window.google_conversion_id}/?random=1`

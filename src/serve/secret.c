/* SPDX-License-Identifier: MIT */
#include "serve/secret.h"

#include <sys/random.h>

/* Writes 16 bytes as 22 characters of RFC 4648, table 2. */
static void
write_text(char to[SECRET_TEXT + 1], const uint8_t byte[16])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789-_";
	unsigned bits = 0, n = 0;

	for (int i = 0; i < 16; i++) {
		bits = bits << 8 | byte[i];
		for (n += 8; n >= 6; n -= 6)
			*to++ = digits[bits >> (n - 6) & 63];
	}
	*to++ = digits[bits << (6 - n) & 63];
	*to = '\0';
}

bool
secret_init(struct secrets *s, struct err *err)
{
	*s = (struct secrets){ .lock = PTHREAD_MUTEX_INITIALIZER };
	for (int i = 0; i < SECRETS; i++) {
		uint8_t byte[16];

		if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
			return err_set(err, ERR_SYSTEM, "random bytes");
		write_text(s->text[i], byte);
	}
	return true;
}

void
secret_fini(struct secrets *s)
{
	pthread_mutex_destroy(&s->lock);
}

void
secret_start(struct secrets *s, int64_t now)
{
	pthread_mutex_lock(&s->lock);
	s->until = now + SECRET_TICKET_NS;
	pthread_mutex_unlock(&s->lock);
}

/* Compares all characters, so that the time does not reveal how many were
 * right. */
static bool
is_equal(const char *secret, const char *text, size_t size)
{
	unsigned differ = size != SECRET_TEXT;

	for (size_t i = 0; i < SECRET_TEXT; i++)
		differ |= (unsigned)(secret[i] ^ (i < size ? text[i] : 0));
	return differ == 0;
}

enum secret_ticket
secret_use(struct secrets *s, const char *text, size_t size, int64_t now)
{
	enum secret_ticket what = SECRET_BAD;

	if (!is_equal(s->text[SECRET_TICKET], text, size))
		return SECRET_BAD;
	pthread_mutex_lock(&s->lock);
	if (s->used) {
		what = SECRET_TWICE;
		s->revoked = true;
	} else if (now < s->until) {
		what = SECRET_GOOD;
		s->used = true;
	}
	pthread_mutex_unlock(&s->lock);
	return what;
}

bool
secret_is_token(const struct secrets *s, const char *text, size_t size)
{
	return is_equal(s->text[SECRET_TOKEN], text, size);
}

bool
secret_is_cookie(struct secrets *s, const char *text, size_t size)
{
	bool is, revoked;

	if (is_equal(s->text[SECRET_COOKIE], text, size))
		return true;
	is = is_equal(s->text[SECRET_TICKET_COOKIE], text, size);
	pthread_mutex_lock(&s->lock);
	revoked = s->revoked || !s->used;
	pthread_mutex_unlock(&s->lock);
	return is && !revoked;
}

"""Elliptic functions of arrays: against scipy, against identities, next to k = 1, outside of their domain."""
import numpy as np
import pytest
from scipy import special

import polhode
from polhode import elliptic

U = np.linspace(-12, 12, 401)
MODULI = np.array([0.0, 1e-12, 0.1, 0.5, 0.9, 0.999, 1 - 1e-12])


def test_their_names_are_in_the_submodule_only():
    # E and F at the top of a package are too easily taken for something else.
    assert not set(elliptic.__all__) & {*polhode.__all__, *vars(polhode)}


def test_jacobi_against_scipy():
    # scipy's ellipj itself is off by 1e-10 next to k = 1 and by some 1e-14 elsewhere.
    sn, cn, dn, am = special.ellipj(U[:, None], MODULI[None, :6])
    ours = elliptic.jacobi(U[:, None], MODULI[None, :6])
    for x, y in zip(ours, (sn, cn, dn)):
        assert np.abs(x - y).max() < 5e-13
    assert np.abs(elliptic.am(U[:, None], MODULI[None, :6]) - am).max() < 5e-13


def test_identities():
    for keywords in ({"k2": MODULI[None, :]}, {"kp2": np.array([1.0, 1e-5, 1e-16, 1e-30, 0.0])[None, :]}):
        sn, cn, dn = elliptic.jacobi(U[:, None], **keywords)
        assert np.abs(sn**2 + cn**2 - 1).max() < 5e-16
        k2 = keywords.get("k2", 1 - keywords.get("kp2", 0.0))
        assert np.abs(dn**2 + k2 * sn**2 - 1).max() < 5e-16
        for one, all_of in ((elliptic.sn, sn), (elliptic.cn, cn), (elliptic.dn, dn)):
            np.testing.assert_array_equal(one(U[:, None], **keywords), all_of)


def test_integrals_against_scipy():
    phi = np.linspace(-7, 7, 201)[:, None]
    k2 = MODULI[None, :6]
    np.testing.assert_allclose(elliptic.F(phi, k2), special.ellipkinc(phi, k2), rtol=5e-15, atol=1e-15)
    np.testing.assert_allclose(elliptic.E(k2, phi=phi), special.ellipeinc(phi, k2), rtol=5e-15, atol=1e-15)
    np.testing.assert_allclose(elliptic.K(MODULI), special.ellipk(MODULI), rtol=1e-15)
    np.testing.assert_allclose(elliptic.E(MODULI), special.ellipe(MODULI), rtol=1e-15)
    np.testing.assert_allclose(elliptic.K(kp2=[1e-300, 1e-20, 0.3]), special.ellipkm1([1e-300, 1e-20, 0.3]), rtol=1e-15)


def test_the_second_kind_by_its_own_identities():
    phi = np.linspace(0.1, 1.5, 30)
    # Of a line, k = 1: sin; of a circle, k = 0: the angle; over whole turns: 4 E.
    np.testing.assert_allclose(elliptic.E(1.0, phi=phi), np.sin(phi), rtol=4e-16)
    np.testing.assert_allclose(elliptic.E(0.0, phi=phi), phi, rtol=4e-16)
    np.testing.assert_allclose(elliptic.E(0.8, phi=phi + 2 * np.pi) - 4 * elliptic.E(0.8), elliptic.E(0.8, phi=phi), atol=5e-15)
    # Legendre's relation joins the complete integrals of k and k'.
    k2 = np.array([0.1, 0.5, 0.75])
    left = (elliptic.E(k2) * elliptic.K(kp2=k2) + elliptic.E(kp2=k2) * elliptic.K(k2) - elliptic.K(k2) * elliptic.K(kp2=k2))
    np.testing.assert_allclose(left, np.pi / 2, rtol=4e-16)


def test_third_kind():
    np.testing.assert_allclose(elliptic.Pi(0.3, 0.0), np.pi / 2 / np.sqrt(0.7), rtol=3e-16)
    np.testing.assert_allclose(elliptic.Pi([0.3, -5.0, -1e6], 0.6), elliptic.Pi([0.3, -5.0, -1e6], 0.6, phi=np.pi / 2), rtol=1e-15)
    x, weights = np.polynomial.legendre.leggauss(60)
    phi, nodes = 1.2, 0.6 * (x + 1)
    integrand = 1 / ((1 + 2 * np.sin(nodes)**2) * np.sqrt(1 - 0.6 * np.sin(nodes)**2))
    np.testing.assert_allclose(elliptic.Pi(-2.0, 0.6, phi=phi), 0.6 * weights @ integrand, rtol=1e-14)


def test_carlson_against_scipy(random):
    x, y, z, p = random.lognormal(sigma=3, size=(4, 500))
    for ours, scipys, arguments in ((elliptic.RF, special.elliprf, (x, y, z)), (elliptic.RC, special.elliprc, (x, y)),
                                    (elliptic.RJ, special.elliprj, (x, y, z, p)), (elliptic.RD, special.elliprd, (x, y, z))):
        np.testing.assert_allclose(ours(*arguments), scipys(*arguments), rtol=3e-15)


def test_they_are_ufuncs():
    out = np.empty(401)
    assert elliptic.sn(U, 0.5, out=out) is out
    assert elliptic.sn(U.astype(np.float32), 0.5).dtype in (np.float64,)
    masked = np.full(401, 7.0)
    elliptic.dn(U, 0.5, out=masked, where=U > 0)
    assert (masked[U <= 0] == 7).all() and (masked[U > 0] <= 1).all()
    assert np.isscalar(elliptic.K(0.5)) and elliptic.jacobi(np.ones((3, 1)), np.zeros(4))[0].shape == (3, 4)
    assert elliptic.RF([1, 2], 3, 4).shape == (2,)


@pytest.mark.filterwarnings("ignore:invalid value")  # as for any ufunc
def test_outside_of_the_domain_is_nan():
    for value in (elliptic.sn(1.0, -0.1), elliptic.sn(1.0, 1.1), elliptic.K(2.0), elliptic.F(1.0, np.nan),
                  elliptic.Pi(2.0, 0.5), elliptic.Pi(2.0, 0.5, phi=1.0), elliptic.RF(-1, 1, 1), elliptic.RJ(1, 1, 1, -1),
                  elliptic.RD(1, 1, -1), elliptic.E(0.5, phi=np.nan), elliptic.sn(np.nan, 0.5)):
        assert np.isnan(value)
    for value in (elliptic.K(1.0), elliptic.RF(0, 0, 1), elliptic.RC(1, 0), elliptic.Pi(1.0, 0.5)):
        assert value == np.inf
    for wrong in (1j, "a", None):
        with pytest.raises(TypeError):
            elliptic.sn(wrong, 0.5)
    with pytest.raises(polhode.InputError, match="modulus is missing"):
        elliptic.sn(1.0)


def test_the_amplitude_of_e_and_pi_has_a_name():
    """F takes it first and E second: by its place it would be taken for the modulus."""
    for call in (lambda: elliptic.E(0.5, 0.3), lambda: elliptic.Pi(0.1, 0.5, 0.3)):
        with pytest.raises(TypeError, match="positional argument"):
            call()


@pytest.mark.filterwarnings("ignore:invalid value")
def test_the_domain_of_the_modulus():
    for k2 in (-0.1, 1.1):
        for value in (elliptic.K(k2), elliptic.E(k2), elliptic.F(0.5, k2), elliptic.E(k2, phi=0.5), elliptic.sn(0.5, k2),
                      elliptic.Pi(0.1, k2)):
            assert np.isnan(value)
